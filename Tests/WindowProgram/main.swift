// Executes commands on its window, line by line, from a named pipe: the first argument. The second one is the window's style.
import Dispatch
import Glibc
import Overline

let window = TerminalWindow(style: CommandLine.arguments[2] == "full-screen" ? .fullScreen : .inline)
TerminalWindow.current = window
Player.play(CommandLine.arguments[1], window)

enum Player {
  /// Objects that outlive their command.
  private struct Kept {
    var toast: Toast?
    var other: TerminalWindow?
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

  private static func obey(_ word: String, _ text: String, _ window: TerminalWindow, _ kept: inout Kept) {
    switch word {
    case "print": print(text)
    case "part": print(text, terminator: "")
    case "lines": for number in 1...Int(text)! { print("line \(number)") }
    case "monitor": window.networkMonitoring(hideDelay: .milliseconds(100))
    case "present": window.presentTopBanner { $0.title(text).backgroundColor(.systemGreen) }
    case "high": window.presentTopBanner { $0.title(text).height(3).titleTopInset(1) }
    case "again": window.presentTopBanner()
    case "other":
      kept.other = TerminalWindow(fileDescriptor: open(text, O_RDWR | O_NOCTTY | O_CLOEXEC))
      kept.other?.presentTopBanner { $0.title("Elsewhere") }
    case "dismiss": window.dismissTopBanner()
    case "presented": print("presented: \(window.isBannerPresented)")
    case "toast": kept.toast = window.toast(text, message: "with a message", style: .success) { print("gone") }
    case "bottom": kept.toast = window.toast(text, style: .error, edge: .bottom)
    case "rows": kept.toast = window.toast(text, duration: nil, rows: [[StyledText("first")], [StyledText("second")]])
    case "untoast": kept.toast?.dismiss()
    case "toasted": print("toasted: \(kept.toast?.isPresented ?? false)")
    case "rect": print("rect: \(window.contentRect)")
    case "insets": Task { for await inset in window.insets { print("inset: \(inset.top) \(inset.bottom)") } }
    case "ignore": signal(SIGINT, SIG_IGN)
    case "handle": signal(SIGINT) { _ in _exit(7) }
    case "count": signal(SIGWINCH) { _ in Player.resizes.first += 1 }
    case "chain": chainResizes()
    case "stay": stayInHandler()
    case "resizes": print("resizes: \(resizes.first) \(resizes.later)")
    case "handlers":
      let names = [("INT", SIGINT), ("TERM", SIGTERM), ("TSTP", SIGTSTP), ("WINCH", SIGWINCH)]
      for (name, number) in names { print("\(name): \(isDefault(number) ? "default" : "handled")") }
    case "sync": window.hardSync()
    case "close": window.close()
    case "flush": fflush(nil)
    case "exit": exit(Int32(text)!)
    default: fatalError(word)
    }
  }

  private nonisolated(unsafe) static var resizes = (first: 0, later: 0)
  private nonisolated(unsafe) static var handlerBefore: (@convention(c) (Int32) -> Void)?

  /// As readline does: a handler that calls the previous one.
  private static func chainResizes() {
    handlerBefore = signal(SIGWINCH) { number in
      Player.resizes.later += 1
      Player.handlerBefore?(number)
    }
  }

  /// A handler that never returns, as one that ends in siglongjmp(3): the program continues in it.
  private static func stayInHandler() {
    signal(SIGWINCH) { number in
      Player.resizes.first += 1
      if Player.resizes.first > 1 { return }
      var signals = sigset_t()
      sigemptyset(&signals)
      sigaddset(&signals, number)
      pthread_sigmask(SIG_UNBLOCK, &signals, nil)
      Player.play(CommandLine.arguments[1], TerminalWindow.current)
    }
  }

  private static func isDefault(_ number: Int32) -> Bool {
    var action = sigaction()
    sigaction(number, nil, &action)
    return action.__sigaction_handler.sa_handler == nil
  }
}
