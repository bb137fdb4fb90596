internal import Overline

/// The least program with a window that watches the network, at its end at once.
@main
enum OverlineBenchLibrary {
  static func main() { TerminalWindow.current.networkMonitoring() }
}
