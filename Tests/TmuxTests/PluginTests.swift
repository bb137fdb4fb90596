import OverlineSystem
import OverlineTestKit
import OverlineTestThread
import Testing

/// `config/overline.tmux`, run by a real tmux with a program named `overline` in its PATH that records its arguments.
@Suite(.ownThread) struct PluginTests {
  private static let plugin =
    #filePath.split(separator: "/").dropLast(3).reduce("") { "\($0)/\($1)" } + "/config/overline.tmux"

  @Test func itPassesTheServersSocket() throws {
    let bin = try FakeProgram(script: "echo \"$@\" >> \"$0.log\"")
    defer { bin.remove() }
    let server = try TmuxTestServer(configuration: [
      "setenv -g PATH '\(bin.directory):/usr/bin:/bin'", "run-shell '\(Self.plugin)'",
    ])
    let call = "tmux attach --server \(server.socket)\n"
    #expect(eventually { bin.log == call })
    // A reload, and a line typed by hand, run it again.
    try server.tmux("run-shell", Self.plugin)
    #expect(eventually { bin.log == call + call })
  }

  /// tmux reads its configuration before it answers any client: a plugin that waited for the monitor would wait forever.
  @Test func itDoesNotWait() throws {
    let bin = try FakeProgram(script: "echo noise; echo more >&2; echo $$ > \"$0.log\"; exec tail -f /dev/null")
    defer { bin.remove() }
    let server = try TmuxTestServer(configuration: [
      "setenv -g PATH '\(bin.directory):/usr/bin:/bin'", "run-shell '\(Self.plugin)'",
    ])
    #expect(eventually { bin.log.hasSuffix("\n") })
    let pid = try #require(Int32(bin.log.dropLast()))
    defer { Signal.terminate.send(to: pid) }
    #expect(try server.tmux("display-message", "-p", "#{pane_in_mode}") == "0\n")
    #expect(ProcessEnvironment.startTime(of: pid) != nil)
  }

  /// tpm runs every `*.tmux` below `~/.tmux/plugins/NAME`, which is a link to the files of `make install`.
  @Test func throughALinkItFindsTheProgramThatItIsInstalledWith() throws {
    let home = try FakeProgram(script: "echo \"$@\" >> \"$0.log\"")
    defer { home.remove() }
    _ = try Subprocess.run(
      "sh",
      [
        "-euc",
        """
        cd "$2"
        mkdir -p prefix/bin prefix/share/overline plugins
        mv overline prefix/bin
        cp "$1" prefix/share/overline
        ln -s ../prefix/share/overline plugins
        """, "sh", Self.plugin, home.directory,
      ])
    let server = try TmuxTestServer(configuration: ["setenv -g PATH '/usr/bin:/bin'"])
    try server.tmux("run-shell", "for file in \(home.directory)/plugins/overline/*.tmux; do $file; done")
    let log = "\(home.directory)/prefix/bin/overline.log"
    #expect(
      eventually { (try? Files.read(log)) == Array("tmux attach --server \(server.socket)\n".utf8) })
  }

  @Test func withoutOverlineItIsSilent() throws {
    let server = try TmuxTestServer(configuration: ["setenv -g PATH '/usr/bin:/bin'"])
    let file = server.socket + ".said"
    defer { try? Files.remove(file) }
    try server.tmux("run-shell", "\(Self.plugin) >\(file) 2>&1; echo $? >>\(file)")
    #expect(eventually { (try? Files.read(file)) == Array("0\n".utf8) })
  }
}

/// A directory with one program, `overline`.
private struct FakeProgram {
  let directory = "/tmp/overline-test-plugin-\(ProcessEnvironment.processID)-\(UInt32.random(in: 0 ... .max))"

  init(script: String) throws {
    try Files.makePrivateDirectory(directory)
    try Files.replace(directory + "/overline", with: Array("#!/bin/sh\n\(script)\n".utf8))
    _ = try Subprocess.run("chmod", ["+x", directory + "/overline"])
  }

  var log: String { String(decoding: (try? Files.read(directory + "/overline.log")) ?? [], as: UTF8.self) }

  func remove() { _ = try? Subprocess.run("rm", ["-r", directory]) }
}
