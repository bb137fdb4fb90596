internal import Overline
import OverlineCore
internal import OverlineProcess
import OverlineShell
internal import OverlineSystem

/// `guardian`: the same as the CLI's hidden verb. `monitor LOCK WHAT SOCKET…`: shows a banner, a toast or both in each server until its
/// standard input ends, then leaves without a farewell, unless it was killed before.
@main enum Helper {
  static func main() throws {
    let arguments = CommandLine.arguments.dropFirst()
    switch arguments.first {
    case "guardian": Guardian.run()
    case "monitor":
      let rest = Array(arguments.dropFirst())
      try monitor(lock: rest[0], what: rest[1], sockets: Array(rest[2...]))
    default: print("usage: OverlineTmuxTestHelper guardian | monitor LOCK banner|toast|both SOCKET…")
    }
  }

  private static func monitor(lock path: String, what: String, sockets: [String]) throws {
    guard let lock = try FileLock.acquire(path) else { return }
    let guardian = GuardianProcess(
      executable: ProcessEnvironment.executable, arguments: ["guardian"], inheriting: [lock.descriptor.rawValue])
    let windows = sockets.map {
      TmuxWindow(server: TmuxServer(socket: $0), guardian: guardian, onError: { print($0) })
    }
    var toasts = ToastMachine(settings: ToastSettings(motion: .off), window: .tmux(edge: .bottom))
    _ = toasts.handle(.toastPosted(ToastContent(title: "Saved"), id: ToastID(rawValue: 0)), at: .zero)
    let banner = BannerFrame(appearance: .offline)
    for window in windows {
      // One after the other, so that a second line is added to a first.
      if what != "banner" { window.show(TmuxContent(banner: nil, toast: toasts.frame)) }
      if what != "toast" { window.show(TmuxContent(banner: banner, toast: what == "both" ? toasts.frame : nil)) }
    }
    while let bytes = try? readBytes(from: 0, atMost: 64), !bytes.isEmpty {}
    withExtendedLifetime((windows, guardian)) {}
    _ = lock.descriptor.rawValue
  }
}
