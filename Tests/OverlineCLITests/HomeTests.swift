import OverlineProcess
import OverlineSystem
import OverlineTestSupport
import OverlineTestThread
import Testing

/// The snippets for editors, terminals and the desktop, in the real programs.
@Suite(.ownThread) struct HomeTests {
  private static let config = InstalledPrefix.config

  /// A world with a monitor, and the variables of a program that finds it.
  private struct Home {
    let world: World
    let monitor: TestProgram

    init() throws {
      world = try World()
      try world.configure("[banner]\ngrace-delay = \"0s\"\nhide-delay = \"100ms\"\nmotion = \"off\"\n")
      monitor = try world.startMonitor()
    }

    var variables: String {
      let folder = Files.folder(of: World.executable)
      return
        "HOME=\(world.folder) XDG_RUNTIME_DIR=\(world.folder) XDG_CONFIG_HOME=\(world.folder)/none SCREENDIR=\(world.folder)/screens PATH=\(folder):$PATH"
    }
  }

  @Test(
    "each shows an outage, its end, and the next outage after another monitor",
    arguments: [
      ("Neovim", "nvim --clean -c 'luafile CONFIG/editor/overline.lua' -c 'set ls=2 stl=%f%{g:overline}'"),
      ("Emacs", "emacs -nw -Q -l CONFIG/editor/overline.el --eval '(overline-mode 1)'"),
      ("zellij's pane", "CONFIG/terminal/one-row.sh"),
    ])
  func itShowsOutages(_ name: String, _ command: String) throws {
    let home = try Home()
    let world = home.world
    let command = command.replacing("CONFIG", with: Self.config)
    // Emacs cuts its mode line off at 80 columns.
    let server = try TmuxTestServer(
      command: "env \(home.variables) \(command)", columns: 100, rows: name.hasPrefix("zellij") ? 2 : 24)
    // GNU screen outlives its terminal.
    defer {
      if command.contains("exec screen") {
        _ = try? Subprocess.run(
          "screen", ["-X", "quit"], environment: world.environment + ["SCREENDIR=\(world.folder)/screens"])
      }
    }
    func wait(_ isOffline: Bool) throws {
      var shown = ""
      let hasCome = try eventually(within: .seconds(20)) {
        shown = try server.tmux("capture-pane", "-p")
        return shown.contains("No connection") == isOffline
      }
      #expect(hasCome, "\(name), \(isOffline): \(shown)")
    }
    try world.pullTheCable()
    try wait(true)
    try world.plugTheCable()
    try wait(false)
    // The next monitor is found.
    #expect(home.monitor.end(.terminate) == 0)
    try world.pullTheCable()
    let second = try world.startMonitor()
    defer { second.end(.terminate) }
    try wait(true)
  }

  @Test(
    "GNU screen shows an outage",
    .enabled(if: TestUser.canBeOthers, "COULD NOT RUN: screen needs the groups of a real root"))
  func screenShowsOutages() throws {
    try itShowsOutages("screen", "sh -c 'mkdir -m 700 $SCREENDIR; exec screen -c CONFIG/terminal/screenrc sh'")
  }

  @Test("WezTerm's status reads the monitor's state file") func weztermReadsTheState() throws {
    let home = try Home()
    let world = home.world
    // Its interface, as far as the snippet uses it: Debian does not have WezTerm.
    let script = """
      local shown
      package.preload.wezterm = function()
        return {
          on = function(name, call) assert(name == 'update-status'); update = call end,
          format = function(parts) return parts[1].Background.Color .. parts[3].Text end,
        }
      end
      dofile('\(Self.config)/terminal/wezterm.lua')
      update({ set_right_status = function(_, text) shown = text end })
      print('[' .. shown .. ']')
      """
    try Files.replace("\(world.folder)/test.lua", with: Array(script.utf8))
    func shown() throws -> String {
      let result = try Subprocess.run(
        "nvim", ["--headless", "--clean", "-c", "luafile \(world.folder)/test.lua", "-c", "q"],
        environment: world.environment)
      return result.errorText
    }
    #expect(try shown().contains("[]"))
    try world.pullTheCable()
    #expect(try eventually { try shown().contains("[#b3261e No connection ]") })
    for (signal, text) in [("STOP", "[]"), ("CONT", "[#b3261e No connection ]")] {
      _ = try Subprocess.run("kill", ["-\(signal)", "\(home.monitor.pid)"])
      #expect(try eventually { try shown().contains(text) }, "\(signal)")
    }
    home.monitor.end(.kill)
    #expect(try shown().contains("[]"))
  }

  @Test("the notification of an outage's end replaces that of the outage") func theHookNotifies() throws {
    let world = try World()
    // A notification's text is markup.
    try world.rename("a<b>&")
    let hook = "\(Self.config)/hooks/notify.sh"
    try world.configure(
      "[banner]\ngrace-delay = \"0s\"\nhide-delay = \"100ms\"\n[hooks]\non-offline = \"\(hook)\"\non-online = \"\(hook)\"\n"
    )
    // A desktop's end of the bus: it prints what it is to show.
    let desktop = """
      import sys
      from gi.repository import Gio, GLib
      text = '''<node><interface name="org.freedesktop.Notifications">
        <method name="Notify"><arg type="s" direction="in"/><arg type="u" direction="in"/><arg type="s" direction="in"/>
          <arg type="s" direction="in"/><arg type="s" direction="in"/><arg type="as" direction="in"/>
          <arg type="a{sv}" direction="in"/><arg type="i" direction="in"/><arg type="u" direction="out"/></method>
        <method name="GetCapabilities"><arg type="as" direction="out"/></method>
        <method name="GetServerInformation"><arg type="s" direction="out"/><arg type="s" direction="out"/>
          <arg type="s" direction="out"/><arg type="s" direction="out"/></method></interface></node>'''
      def call(bus, sender, path, interface, method, words, answer):
          if method == "Notify":
              words = words.unpack()
              print(words[0], words[1], words[3], words[4], sep="|", flush=True)
              answer.return_value(GLib.Variant("(u)", (7,)))
          elif method == "GetCapabilities":
              answer.return_value(GLib.Variant("(as)", (["body"],)))
          else:
              answer.return_value(GLib.Variant("(ssss)", ("test", "test", "1", "1.2")))
      def acquired(bus, name):
          bus.register_object("/org/freedesktop/Notifications", Gio.DBusNodeInfo.new_for_xml(text).interfaces[0], call)
      Gio.bus_own_name(Gio.BusType.SESSION, "org.freedesktop.Notifications", 0, acquired,
                       lambda *_: print("ready", flush=True), lambda *_: sys.exit("no bus"))
      GLib.MainLoop().run()
      """
    try Files.replace("\(world.folder)/desktop.py", with: Array(desktop.utf8))
    let session = try world.namespace.inside {
      try TestProgram(
        "dbus-run-session",
        [
          "--", "sh", "-c",
          "/usr/bin/python3 -B \(world.folder)/desktop.py & while ! gdbus call --session -d org.freedesktop.DBus -o / -m org.freedesktop.DBus.GetNameOwner org.freedesktop.Notifications >/dev/null 2>&1; do sleep 0.1; done; exec \(World.executable) monitor",
        ], environment: world.environment)
    }
    // The bus, the desktop and the monitor outlive their parent.
    defer { Signal.kill.send(to: -session.pid) }
    try session.lines.first("the desktop") { $0 == "ready" }
    #expect(eventually(within: .seconds(10)) { Files.exists("\(world.folder)/overline/state") })
    try world.pullTheCable()
    try session.lines.first("the notification") {
      $0 == "Overline|0|No connection|offline: default via 192.0.2.1 dev a&lt;b&gt;&amp; has no carrier"
    }
    let last = "\(world.folder)/overline/notification"
    #expect(eventually { (try? Files.read(last)) == Array("7\n".utf8) })
    try world.plugTheCable()
    try session.lines.first("its replacement") { $0.hasPrefix("Overline|7|Back online|online via a&lt;b&gt;&amp;, ") }
    session.end(.terminate)
  }
}
