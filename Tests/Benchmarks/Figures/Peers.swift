internal import OverlineSystem
internal import OverlineTestKit

/// Other programs that watch links, to compare with ours. Those that are not installed are still named.
struct WatcherPeer {
  let name: String
  /// The program and its arguments; nil when it is not installed.
  let command: [String]?

  func start(in world: BenchWorld) throws -> PipedProgram? {
    try command.map { try world.start($0[0], Array($0.dropFirst())) }
  }

  /// Only prints the kernel's messages.
  static let ipMonitor = WatcherPeer(
    name: "ip monitor", command: isInstalled("ip") ? ["ip", "-o", "monitor", "link"] : nil)

  /// The library that most Python programs use: its own parser, on a socket of every group.
  static let pyroute2: WatcherPeer = {
    let program = """
      import sys, pyroute2
      ip = pyroute2.IPRoute(); ip.bind()
      while True:
          for message in ip.get():
              sys.stdout.write(message['event'] + '\\n')
          sys.stdout.flush()
      """
    // Distributions install it for their own Python, which may not be the first in PATH.
    let python = ["python3", "/usr/bin/python3"].first {
      (try? Subprocess.run($0, ["-c", "import pyroute2"]))?.status == 0
    }
    return WatcherPeer(name: "pyroute2", command: python.map { [$0, "-c", program] })
  }()

  /// GNOME's `GNetworkMonitor`: the only other program here that decides whether there is a network. Compiled on the spot.
  ///
  /// - Parameter folder: where to put the program.
  static func glib(in folder: String) -> WatcherPeer {
    let source = """
      #include <gio/gio.h>
      #include <stdio.h>
      static void changed(GNetworkMonitor *monitor, gboolean available, gpointer unused) {
        printf("%d\\n", available);
        fflush(stdout);
      }
      int main(void) {
        GNetworkMonitor *monitor = g_network_monitor_get_default();
        g_signal_connect(monitor, "network-changed", G_CALLBACK(changed), NULL);
        printf("%d\\n", g_network_monitor_get_network_available(monitor));
        fflush(stdout);
        g_main_loop_run(g_main_loop_new(NULL, FALSE));
      }
      """
    let program = "\(folder)/glib-monitor"
    let compile = "cc -O2 -x c - -o \"$1\" $(pkg-config --cflags --libs gio-2.0)"
    let made = try? Subprocess.run(
      "sh", ["-c", compile, "sh", program], input: Array(source.utf8), timeout: .seconds(60))
    return WatcherPeer(name: "GLib", command: made?.status == 0 ? [program] : nil)
  }
}
