internal import OverlineSystem
internal import OverlineTestSupport

/// Another program that watches links, to compare with ours.
struct WatcherPeer: Sendable {
  let name: String
  /// The program and its arguments.
  let command: [String]

  func start(in world: BenchWorld) throws -> PipedProgram { try world.start(command[0], Array(command.dropFirst())) }

  /// Only prints the kernel's messages.
  static let ipMonitor = WatcherPeer(name: "ip monitor", command: ["ip", "-o", "monitor", "link"])

  /// The smallest program with the hop of `overline watch`: from a process that receives the kernel's messages to one that prints.
  static let ipMonitorThroughCat = WatcherPeer(
    name: "ip monitor | cat", command: ["sh", "-c", "ip -o monitor link | cat"])

  /// The library that most Python programs use: its own parser, on a socket of every group.
  static let pyroute2 = WatcherPeer(
    name: "pyroute2",
    command: [
      // The distribution's package is only for its own Python, which may not be the first in PATH.
      "/usr/bin/python3", "-c",
      """
      import sys, pyroute2
      ip = pyroute2.IPRoute(); ip.bind()
      print('ready', flush=True)
      while True:
          for message in ip.get():
              sys.stdout.write(message['event'] + '\\n')
          sys.stdout.flush()
      """,
    ])

  /// GNOME's `GNetworkMonitor`: the only other program here that decides whether there is a network. Compiled on the spot.
  ///
  /// - Parameter folder: where to put the program.
  static func glib(in folder: String) throws -> WatcherPeer {
    let source = """
      #include <gio/gio.h>
      #include <stdio.h>
      static void changed(GNetworkMonitor *monitor, gboolean available, gpointer unused) {
        printf("%d\\n", available);
        fflush(stdout);
      }
      int main(void) {
        // Not NetworkManager's, which knows only the machine's own network.
        g_setenv("GIO_USE_NETWORK_MONITOR", "netlink", TRUE);
        GNetworkMonitor *monitor = g_network_monitor_get_default();
        g_signal_connect(monitor, "network-changed", G_CALLBACK(changed), NULL);
        printf("%d\\n", g_network_monitor_get_network_available(monitor));
        fflush(stdout);
        g_main_loop_run(g_main_loop_new(NULL, FALSE));
      }
      """
    let program = "\(folder)/glib-monitor"
    let compile = "clang -O2 -x c - -o \"$1\" $(pkg-config --cflags --libs gio-2.0)"
    let made = try Subprocess.run(
      "sh", ["-c", compile, "sh", program], input: Array(source.utf8), timeout: .seconds(60))
    guard made.status == 0 else { throw TestKitError("cannot compile GLib's peer: \(made.errorText)") }
    return WatcherPeer(name: "GLib", command: [program])
  }
}
