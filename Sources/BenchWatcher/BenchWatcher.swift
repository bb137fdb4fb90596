internal import Dispatch
internal import Netlink
internal import POSIX
internal import PathModel

/// The least program that watches the path: a line for each one. What `overline-bench` measures beside other watchers.
@main
enum BenchWatcher {
  static func main() throws {
    let watcher = PathWatcher(queue: DispatchQueue(label: "bench.path"), onPath: { tell($0) })
    try watcher.start()
    withExtendedLifetime(watcher) { dispatchMain() }
  }

  private static func tell(_ path: NWPath) {
    try? writeAll(Array("\(path.status)\n".utf8), to: 1)
  }
}
