import OverlineSystem
import OverlineTestKit
import OverlineTestThread
import Testing

/// What `make run` and `make test` print where a package is missing: to a user without sudo rights, and without a network.
@Suite(.ownThread) struct MissingPackageTests {
  /// Runs a script of `config` with these programs instead of the system's.
  private static func run(_ script: String, _ arguments: [String], _ stubs: [String: String]) throws
    -> Subprocess.Result
  {
    let folder = try TemporaryFolder.make()
    defer { TemporaryFolder.remove(folder) }
    for tool in ["sh", "grep", "cut", "mktemp", "rm", "tail", "mkdir", "env"] {
      let place = try #require(["/bin", "/usr/bin"].map { "\($0)/\(tool)" }.first(where: Files.exists))
      #expect(try Subprocess.run("ln", ["-s", place, "\(folder)/\(tool)"]).status == 0)
    }
    for (name, body) in stubs {
      try Files.replace("\(folder)/\(name)", with: Array("#!/bin/sh\n\(body)\n".utf8))
      #expect(try Subprocess.run("chmod", ["700", "\(folder)/\(name)"]).status == 0)
    }
    return try Subprocess.run(
      "/bin/sh", ["\(InstalledPrefix.config)/\(script)"] + arguments.map { $0.replacing("@", with: folder) },
      environment: ["PATH=\(folder)"], timeout: .seconds(30))
  }

  private static let ordinary = ["id": "case $1 in -u) echo 1000 ;; *) echo users ;; esac"]
  private static let root = ["id": "echo 0"]
  private static let offline = [
    "apt-get": "echo 'E: Failed to fetch http://deb.example/x  Could not resolve' >&2; exit 100"
  ]
  private static let absent = "tmux:/nowhere/tmux"

  @Test("nothing is asked of apt-get or sudo once everything is installed") func everythingIsThere() throws {
    let result = try Self.run("install-dependencies.sh", ["sh:/bin/sh"], Self.ordinary)
    #expect(result.status == 0 && result.errorText == "" && result.outputText == "")
    let unpacked = try Self.run("unpack-packages.sh", ["@/tools", "dash:sh"], Self.ordinary)
    #expect(unpacked.status == 0 && unpacked.errorText == "")
  }

  @Test(
    "a missing package is one sentence with what to type",
    arguments: [
      (["apt-get": "exit 1"], "there is no sudo here, so as root"),
      (["apt-get": "exit 1", "sudo": "exit 1"], "you seem to have no sudo rights, so as root"),
    ])
  func withoutRights(_ stubs: [String: String], _ reason: String) throws {
    let result = try Self.run(
      "install-dependencies.sh", [Self.absent], Self.ordinary.merging(stubs) { $1 })
    #expect(result.status == 1)
    #expect(result.errorText == "overline needs tmux; \(reason): apt-get install tmux\n")
  }

  @Test func withoutANetwork() throws {
    let result = try Self.run("install-dependencies.sh", [Self.absent], Self.root.merging(Self.offline) { $1 })
    #expect(result.status == 1)
    let lines = result.errorText.split(separator: "\n")
    #expect(lines.count == 2 && lines.first == "overline needs tmux; installing them", "\(result.errorText)")
    #expect(
      String(lines.last ?? "")
        == "overline needs tmux; apt-get failed (E: Failed to fetch http://deb.example/x  Could not resolve); "
        + "with a network and as root: apt-get install tmux")
  }

  @Test("the tests' tools: one sentence too", arguments: [root, ordinary]) func toolsWithoutANetwork(
    _ user: [String: String]
  ) throws {
    let result = try Self.run(
      "unpack-packages.sh", ["@/tools", "nano:nano=../../bin/nano"], user.merging(Self.offline) { $1 })
    #expect(result.status == 1)
    let lines = result.errorText.split(separator: "\n")
    #expect(lines.count == 2, "\(result.errorText)")
    #expect(
      lines.last?.hasPrefix(
        "apt-get cannot download nano (E: Failed to fetch http://deb.example/x  Could not resolve); ")
        == true)
    #expect(lines.last?.hasSuffix("make test-deps") == true)
    #expect(result.errorText.contains("as root: apt-get update") == (user == Self.ordinary))
  }
}
