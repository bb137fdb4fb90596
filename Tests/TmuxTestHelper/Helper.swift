internal import Banner
internal import POSIX
internal import Tmux

/// `guardian`: what the CLI's hidden verb will run. `monitor LOCK SOCKET…`: shows a banner in each server until its standard
/// input ends, then leaves without a farewell, unless it was killed before.
@main enum Helper {
  static func main() throws {
    let arguments = CommandLine.arguments.dropFirst()
    switch arguments.first {
    case "guardian": Guardian.run()
    case "monitor": try monitor(lock: arguments.dropFirst().first!, sockets: Array(arguments.dropFirst(2)))
    default: print("usage: TmuxTestHelper guardian | monitor LOCK SOCKET…")
    }
  }

  private static func monitor(lock path: String, sockets: [String]) throws {
    guard let lock = try FileLock.acquire(path) else { return }
    let guardian = GuardianProcess(
      executable: ProcessEnvironment.executable, arguments: ["guardian"], inheriting: [lock.descriptor.rawValue])
    let windows = sockets.map {
      TmuxWindow(server: TmuxServer(socket: $0), guardian: guardian, onError: { print($0) })
    }
    for window in windows { window.update(banner: BannerFrame(appearance: .offline), toast: nil) }
    while let bytes = try? readBytes(from: 0, atMost: 64), !bytes.isEmpty {}
    withExtendedLifetime((windows, guardian)) {}
    _ = lock.descriptor.rawValue
  }
}
