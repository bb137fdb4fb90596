import Overline

let window = TerminalWindow.current
window.startNetworkMonitoring()

let monitor = NWPathMonitor()
for page in 1...60 {
  try await monitor.retryingWhenOffline {
    print("fetching page \(page) …")  // what needs the network; it runs again after an outage
    try await Task.sleep(for: .seconds(1))
  }
  if page == 3 { window.toast("The first pages are here", style: .success) }
}
