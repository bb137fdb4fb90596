import OverlineProcess
import OverlineSystem
import OverlineTestSupport
import OverlineTestThread
import Testing
@testable import OverlineCore
import OverlineShell

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

  /// tmux reads on only when the plugin has called `overline`, or had half a second for it. So a plugin that does not wait calls too early.
  @Test func itCallsOnceTheConfigurationIsRead() throws {
    let bin = try FakeProgram(script: "tmux show-options -gv @last >> \"$0.log\" 2>&1")
    defer { bin.remove() }
    let wait = "for i in 1 2 3 4 5 6 7 8 9 10; do test -s \(bin.directory)/overline.log && break; sleep 0.05; done"
    let server = try TmuxTestServer(configuration: [
      "setenv -g PATH '\(bin.directory):/usr/bin:/bin'", "run-shell '\(Self.plugin)'", "run-shell '\(wait)'",
      "set -g @last read",
    ])
    #expect(eventually { bin.log == "read\n" })
    withExtendedLifetime(server) {}
  }

  private static let failing = "echo \"overline: it's 100%H #(touch $0.ran)\" >&2; exit 2"
  private static let message = "overline: it's 100%H #(touch "

  /// No client is there to see it: the next one does.
  @Test("a failure is shown to the client that attaches, and leaves nothing") func aFailureWithoutAClient() throws {
    let bin = try FakeProgram(script: Self.failing)
    defer { bin.remove() }
    let server = try TmuxTestServer(configuration: [
      "setenv -g PATH '\(bin.directory):/usr/bin:/bin'", "set-hook -g client-session-changed[7] 'setenv -g SEEN 1'",
      "run-shell '\(Self.plugin)'",
    ])
    #expect(
      try eventually { try server.tmux("show-hooks", "-g", "client-session-changed").contains("OVERLINE_FAILURE") })
    let screen = try server.attachedScreen()
    #expect(try eventually { try screen.rows().contains { $0.contains(Self.message) } })
    #expect(!Files.exists(bin.directory + "/overline.ran"))
    #expect(
      try eventually { try !server.source("show-hooks -g", "show-environment -gh").contains("OVERLINE") })
    #expect(try server.tmux("show-hooks", "-g", "client-session-changed").contains("[7] set-environment -g SEEN 1"))
    #expect(try server.tmux("show-environment", "-g", "SEEN") == "SEEN=1\n")
  }

  @Test("a failure is shown to the clients that are attached") func aFailureBesideAClient() throws {
    let bin = try FakeProgram(script: Self.failing)
    defer { bin.remove() }
    let server = try TmuxTestServer(configuration: ["setenv -g PATH '\(bin.directory):/usr/bin:/bin'"])
    let screen = try server.attachedScreen()
    try server.tmux("run-shell", Self.plugin)
    #expect(try eventually { try screen.rows().contains { $0.contains(Self.message) } })
    #expect(try eventually { try !server.source("show-hooks -g", "show-environment -gh").contains("OVERLINE") })
  }

  /// As by `overline tmux detach`, or once the server is attached.
  @Test("a failure that no client has seen is removed with all traces", arguments: [nil, "setenv -g MINE 1"])
  func aFailureThatIsOver(usersHook: String?) throws {
    let bin = try FakeProgram(script: Self.failing)
    defer { bin.remove() }
    let server = try TmuxTestServer(configuration: ["setenv -g PATH '\(bin.directory):/usr/bin:/bin'"])
    let before = try server.source("show-hooks -g", "show-environment -gh")
    // A reload adds no second hook. The plugin's last words to tmux are `if-shell`: what follows here must not overtake them.
    try bin.logTmuxCommands()
    for run in 1...2 {
      try server.tmux("run-shell", Self.plugin)
      #expect(eventually { bin.log.split(separator: "\n").count { $0 == "if-shell" } == run })
    }
    #expect(try server.tmux("show-hooks", "-g", "client-session-changed").contains("OVERLINE_FAILURE"))
    #expect(try server.tmux("show-hooks", "-g", "client-session-changed").split(separator: "\n").count == 1)
    if let usersHook { try server.tmux("set-hook", "-g", "client-session-changed[7041]", usersHook) }
    try TmuxClient(TmuxServer(socket: server.socket)).restoreSaved()
    let after = try server.source("show-hooks -g", "show-environment -gh")
    if usersHook == nil { #expect(after == before) }
    #expect(after.contains("OVERLINE") == false && after.contains("MINE 1") == (usersHook != nil))
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

  /// Puts a `tmux` beside the program, which runs the real one and then adds the name of the command to the log.
  func logTmuxCommands() throws {
    let script = "PATH=/usr/bin:/bin tmux \"$@\"; status=$?; echo \"$3\" >> \(directory)/overline.log; exit $status"
    try Files.replace(directory + "/tmux", with: Array("#!/bin/sh\n\(script)\n".utf8))
    _ = try Subprocess.run("chmod", ["+x", directory + "/tmux"])
  }

  var log: String { String(decoding: (try? Files.read(directory + "/overline.log")) ?? [], as: UTF8.self) }

  func remove() { _ = try? Subprocess.run("rm", ["-r", directory]) }
}
