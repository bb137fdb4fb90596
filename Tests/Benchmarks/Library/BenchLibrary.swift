internal import Overline

/// The smallest program with a window that watches the network; it ends at once.
@main
enum OverlineBenchLibrary {
  static func main() { TerminalWindow.current.startNetworkMonitoring() }
}
