import OverlineProcess
import OverlineSystem
import OverlineTestSupport
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
    for tool in ["sh", "grep", "cut", "mktemp", "rm", "head", "tail", "mkdir", "env"] {
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

  @Test("a Swift that does not run is one sentence, before anything is installed")
  func withoutSwift() throws {
    let library = "echo 'swift-build: error while loading shared libraries: libcurl.so.4: cannot open' >&2; exit 127"
    for (stubs, isMended) in [([:], false), (["swift": "exit 126"], false), (["swift": library], true)] {
      let before = try Self.run("check-swift.sh", ["swift", "before"], Self.ordinary.merging(stubs) { $1 })
      #expect((before.status == 0) == isMended, "\(before)")
      let after = try Self.run("check-swift.sh", ["swift"], Self.ordinary.merging(stubs) { $1 })
      #expect(after.status == 1)
      #expect(after.errorText.split(separator: "\n").count == 1, "\(after.errorText)")
      #expect(after.errorText.contains("Swift 6.2 or later, and swift does not run ("), "\(after.errorText)")
    }
    #expect(try Self.run("check-swift.sh", ["swift"], ["swift": "exit 0"]).status == 0)
  }

  @Test("make looks for what it needs before it installs or builds anything") func makeLooksFirst() throws {
    func commands(_ target: String) throws -> [String] {
      try Subprocess.run("make", ["-n", "-C", Files.folder(of: InstalledPrefix.config), target], timeout: .seconds(60))
        .outputText.split(separator: "\n").map(String.init).filter { !$0.hasPrefix("make") }
    }
    #expect(try commands("test").first?.hasPrefix("config/check-namespaces.sh") == true)
    let run = try commands("run")
    #expect(run.first?.hasPrefix("config/check-swift.sh") == true)
    let installations = run.filter { $0.contains("install-dependencies.sh") }
    #expect(installations.count == 1, "\(installations)")
    for package in [
      "libcurl4:", "libxml2:", "libsqlite3-0:", "libncurses6:", "g++:", "libnl-3-dev:", "ca-certificates:",
    ] {
      #expect(installations.first?.contains(" \(package)") == true, "\(package)")
    }
  }

  @Test("a user without network namespaces learns the reason: a chroot") func namespacesInAChroot() throws {
    let folder = try TemporaryFolder.make()
    defer { TemporaryFolder.remove(folder) }
    // A folder that is no mount. In it the kernel refuses user namespaces to root, too.
    let script = """
      cd "$1"
      for name in usr proc dev config; do mkdir $name; done
      for name in bin lib lib64 sbin; do [ ! -e /$name ] || ln -s usr/$name $name; done
      for name in usr proc dev; do mount --rbind /$name $name; done
      mount --bind "$2" config
      chroot . sh /config/check-namespaces.sh "unshare --map-root-user --net"
      """
    let result = try Subprocess.run(
      "unshare", ["--mount", "sh", "-euc", script, "sh", folder, InstalledPrefix.config], timeout: .seconds(30))
    #expect(result.status == 1)
    #expect(
      result.errorText.hasPrefix("the tests need network namespaces, which the kernel refuses to users in a chroot ("),
      "\(result)")
    #expect(result.errorText.split(separator: "\n").count == 1)
  }
}
