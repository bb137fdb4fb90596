import Overline

let window = TerminalWindow.current
window.networkMonitoring()

let monitor = NWPathMonitor()
try await monitor.retryingWhenOffline(limit: 100) {
  print("fetching …")  // what needs the network; it runs again after an outage
}
window.toast("Done", style: .success)
