// A clock on the whole screen, which makes room for the banner. Ctrl-C ends it.
import Dispatch
import Glibc
import Overline

TerminalWindow.current = TerminalWindow(style: .fullScreen)
let window = TerminalWindow.current

/// Draws only inside the window's content: the rest belongs to the banner.
func draw() {
  let rect = window.contentRect
  var now = time(nil)
  var parts = tm()
  localtime_r(&now, &parts)
  let digits = [parts.tm_hour, parts.tm_min, parts.tm_sec].map { $0 < 10 ? "0\($0)" : "\($0)" }
  var text = ""
  for row in 0..<rect.rows {
    text += "\u{1b}[\(rect.row + row);\(rect.column)H\u{1b}[K"
    if row == rect.rows / 2 { text += "\u{1b}[\(max(0, rect.columns - 8) / 2 + 1)G" + digits.joined(separator: ":") }
  }
  print(text, terminator: "")
  fflush(nil)
}

// The screen as it was comes back at the end. Before that, Ctrl-Z would leave the clock to the shell.
signal(SIGTSTP, SIG_IGN)
print("\u{1b}[?1049h\u{1b}[?25l", terminator: "")
signal(SIGINT, SIG_IGN)
let interrupt = DispatchSource.makeSignalSource(signal: SIGINT, queue: .main)
interrupt.setEventHandler {
  // Before the shell gets the screen.
  window.close()
  print("\u{1b}[?1049l\u{1b}[?25h", terminator: "")
  exit(0)
}
interrupt.activate()

window.startNetworkMonitoring()
Task { for await _ in window.insets { draw() } }
while true {
  draw()
  try await Task.sleep(for: .seconds(1))
}
