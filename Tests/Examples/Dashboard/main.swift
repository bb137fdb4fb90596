// A dashboard on the whole screen: the internet and the named networks, each with its last seconds and its cause. Ctrl-C ends it.
//
//   dashboard office=10.20.0.0/16 lab=10.30.0.0/16
import Dispatch
import Glibc
import Overline

struct Network {
  let name: String
  var isReachable = true
  var explanation = ""
  /// One value for each second, the newest last.
  var seconds: [Bool] = []
}

let targets = try CommandLine.arguments.dropFirst().map { argument in
  let parts = argument.split(separator: "=", maxSplits: 1).map(String.init)
  return parts.count == 2 ? try PathTarget(name: parts[0], network: parts[1]) : try PathTarget(argument)
}
var networks = ["internet"].map { Network(name: $0) } + targets.map { Network(name: $0.name) }

TerminalWindow.current = TerminalWindow(style: .fullScreen)
let window = TerminalWindow.current

/// Draws only inside the window's content: the rest belongs to the banner.
@MainActor func draw() {
  let rect = window.contentRect
  let column = (networks.map(\.name.count).max() ?? 0) + 5
  let width = max(0, min(60, rect.columns - column))
  var rows = [" \u{1b}[1mThe last \(width) seconds\u{1b}[m"]
  for network in networks {
    let strip = network.seconds.suffix(width).map { "\u{1b}[\($0 ? 32 : 31)m■" }.joined()
    rows += ["", " \u{1b}[\(network.isReachable ? 32 : 31)m●\u{1b}[m \(network.name)\u{1b}[\(column)G\(strip)\u{1b}[m"]
    rows.append("   " + network.explanation.prefix(max(0, rect.columns - 3)))
  }
  var text = ""
  for row in 0..<rect.rows {
    text += "\u{1b}[\(rect.row + row);\(rect.column)H\u{1b}[K" + (row < rows.count ? rows[row] : "")
  }
  print(text, terminator: "")
  fflush(nil)
}

// The screen as it was comes back at the end. Before that, Ctrl-Z would leave the dashboard to the shell.
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

// The banner is about the internet; the named networks have only their rows.
window.startNetworkMonitoring()
Task {
  for await path in NWPathMonitor() {
    networks[0].isReachable = path.status == .satisfied
    networks[0].explanation = path.explanation
    draw()
  }
}
Task {
  for await path in NWPathMonitor(targets: targets) {
    for (index, target) in path.targets.enumerated() {
      networks[index + 1].isReachable = target.isReachable
      networks[index + 1].explanation = target.explanation
    }
    draw()
  }
}
Task { for await _ in window.insets { draw() } }
while true {
  // A network counts from its first answer.
  for index in networks.indices where !networks[index].explanation.isEmpty {
    networks[index].seconds = networks[index].seconds.suffix(59) + [networks[index].isReachable]
  }
  draw()
  try await Task.sleep(for: .seconds(1))
}
