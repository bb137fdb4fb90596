// Executes commands on its window, line by line, from a named pipe: the first argument. The second one is the window's style: inline,
// full-screen, or own for an inline window that draws its banner in any case.
import Dispatch
import Glibc
import NetworkPath
import Overline

let window = TerminalWindow(
  style: CommandLine.arguments[2] == "full-screen" ? .fullScreen : .inline,
  ownership: CommandLine.arguments[2] == "own" ? .own : .automatic)
TerminalWindow.current = window
Player.play(CommandLine.arguments[1], window)

enum Player {
  /// Objects that outlive their command.
  private struct Kept {
    var toast: Toast?
    var other: TerminalWindow?
    var suspension: AsyncStream<Void>.Continuation?
    var question: Task<Void, Never>?
  }

  static func play(_ path: String, _ window: TerminalWindow) {
    // Open in both directions: a pipe without a writer has ended.
    let pipe = open(path, O_RDWR | O_CLOEXEC)
    var rest: [UInt8] = []
    var kept = Kept()
    while true {
      var bytes = [UInt8](repeating: 0, count: 4096)
      let count = read(pipe, &bytes, bytes.count)
      if count < 0 && errno == EINTR { continue }
      rest += bytes.prefix(max(0, count))
      while let end = rest.firstIndex(of: 0x0a) {
        let line = String(decoding: rest[..<end], as: UTF8.self)
        rest.removeSubrange(...end)
        let word = line.prefix { $0 != " " }
        obey(String(word), String(line.dropFirst(word.count + 1)), window, &kept)
      }
    }
  }

  private static func answer(_ answer: AlertAnswer<Int>) -> String {
    if case .button(let number) = answer { "\(number)" } else { "\(answer)" }
  }

  private static func obey(_ word: String, _ text: String, _ window: TerminalWindow, _ kept: inout Kept) {
    switch word {
    case "print": print(text)
    case "part": print(text, terminator: "")
    case "lines": for number in 1...Int(text)! { print("line \(number)") }
    case "monitor": window.startNetworkMonitoring(hideDelay: .milliseconds(100))
    case "targets": window.startNetworkMonitoring(targets: try! [PathTarget(text)], hideDelay: .milliseconds(100))
    case "present": window.presentTopBanner { $0.title(text).backgroundColor(.systemGreen) }
    case "high": window.presentTopBanner { $0.title(text).height(3).titleTopInset(1) }
    case "stop": window.stopNetworkMonitoring()
    case "suspend":
      let (end, continuation) = AsyncStream.makeStream(of: Void.self)
      kept.suspension = continuation
      Task {
        let result = await window.suspend {
          print("suspended")
          for await _ in end {}
          return text
        }
        print("resumed: \(result)")
      }
    case "resume": kept.suspension?.finish()
    case "ask":
      kept.question = Task {
        print("answer: \(answer(await window.alert(text, buttons: ["Yes", "No"])))")
      }
    case "weak":
      kept.question = Task {
        print("answer: \(answer(await window.alert(text, level: .normal)))")
      }
    case "custom":
      let rows = [[StyledText("an overlay", attributes: .bold)], [StyledText("of its own")]]
      kept.question = Task {
        print("answer: \(answer(await window.alert(text, rows: rows, buttons: ["Done"])))")
      }
    case "cancel": kept.question?.cancel()
    case "low":
      kept.toast = Toast(ToastContent(title: text, duration: nil, level: .normal))
      if let toast = kept.toast { window.present(toast) }
    case "again": window.presentTopBanner()
    case "other":
      kept.other = TerminalWindow(fileDescriptor: open(text, O_RDWR | O_NOCTTY | O_CLOEXEC))
      kept.other?.presentTopBanner { $0.title("Elsewhere") }
    case "second":
      kept.other = TerminalWindow(style: window.style)
      kept.other?.presentTopBanner { $0.title(text) }
    case "unother": kept.other = nil
    case "dismiss": window.dismissTopBanner()
    case "presented": print("presented: \(window.isBannerPresented)")
    case "toast": kept.toast = window.toast(text, message: "with a message", style: .success) { print("gone") }
    case "brief": kept.toast = window.toast(text, duration: .milliseconds(500))
    case "bottom": kept.toast = window.toast(text, style: .error, edge: .bottom)
    case "rows": kept.toast = window.toast(text, duration: nil, rows: [[StyledText("first")], [StyledText("second")]])
    case "untoast": kept.toast?.dismiss()
    case "await":
      let toast = kept.toast
      Task {
        await toast?.ended()
        print("awaited")
      }
    case "toasted": print("toasted: \(kept.toast?.isPresented ?? false)")
    case "rect": print("rect: \(window.contentRect)")
    case "insets": Task { for await inset in window.insets { print("inset: \(inset.top) \(inset.bottom)") } }
    case "rects": Task { for await rect in window.contentRects { print("content: \(rect.rows) \(rect.columns)") } }
    case "ignore": signal(SIGINT, SIG_IGN)
    case "handle": signal(SIGINT) { _ in _exit(7) }
    case "count": signal(SIGWINCH) { _ in Player.resizes += 1 }
    case "block": block()
    case "resizes": print("resizes: \(resizes)")
    case "handlers":
      let names = [("INT", SIGINT), ("TERM", SIGTERM), ("TSTP", SIGTSTP), ("WINCH", SIGWINCH)]
      for (name, number) in names { print("\(name): \(isDefault(number) ? "default" : "handled")") }
    case "sync": window.hardSync()
    case "close": window.close()
    case "flush": fflush(nil)
    case "crash": crash(text)
    case "exit": exit(Int32(text)!)
    default: fatalError(word)
    }
  }

  private nonisolated(unsafe) static var resizes = 0

  /// Prints which of some calls did not block as long as it was told.
  private static func block() {
    var interrupted: [String] = []
    if sleep(1) != 0 { interrupted.append("sleep") }
    if usleep(600_000) != 0 { interrupted.append("usleep") }
    if poll(nil, 0, 600) != 0 { interrupted.append("poll") }
    var time = timeval(tv_sec: 0, tv_usec: 600_000)
    if select(0, nil, nil, nil, &time) != 0 { interrupted.append("select") }
    var pair: [Int32] = [0, 0]
    socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &pair)
    time = timeval(tv_sec: 0, tv_usec: 600_000)
    setsockopt(pair[0], SOL_SOCKET, SO_RCVTIMEO, &time, socklen_t(MemoryLayout<timeval>.size))
    var byte: UInt8 = 0
    if recv(pair[0], &byte, 1, 0) != -1 || errno != EAGAIN { interrupted.append("recv") }
    print("interrupted: \(interrupted)")
  }

  private static func crash(_ kind: String) {
    switch kind {
    case "abort": abort()
    case "fatalError": fatalError("on purpose")
    case "trap": _ = [1][CommandLine.arguments.count + 7]
    case "stack": print(deepen(CommandLine.arguments.count))
    default: raise(SIGQUIT)
    }
  }

  @inline(never) private static func deepen(_ depth: Int) -> Int { depth == 0 ? 0 : deepen(depth + 1) + depth }

  private static func isDefault(_ number: Int32) -> Bool {
    var action = sigaction()
    sigaction(number, nil, &action)
    return action.__sigaction_handler.sa_handler == nil
  }
}
