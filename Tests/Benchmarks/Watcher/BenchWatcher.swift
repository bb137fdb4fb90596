internal import Dispatch
internal import NetworkPath
internal import OverlineSystem

/// The smallest program that watches the path: a line for each one. `OverlineBench` measures it beside other watchers.
@main
enum OverlineBenchWatcher {
  static func main() {
    let monitor = NWPathMonitor()
    monitor.pathUpdateHandler = { tell($0) }
    monitor.start(queue: DispatchQueue(label: "bench.path"))
    withExtendedLifetime(monitor) { dispatchMain() }
  }

  private static func tell(_ path: NWPath) {
    try? writeAll(Array((path.status == .satisfied ? "satisfied\n" : "unsatisfied\n").utf8), to: 1)
  }
}
