import Overline
import OverlineSystem
import OverlineTestSupport
import Synchronization
import Testing
@testable import OverlineCore
@testable import OverlineShell

/// A server, a client's screen, and a window that shows banners in the server.
final class Scene: Sendable {
  let server: TmuxTestServer
  let screen: TmuxTestScreen
  let window: TmuxWindow
  private let insets: Log<TerminalInsets>
  private let errors: Log<String>
  private let gone: Log<String>

  /// Static status lines that show their number.
  static let configuration =
    [
      "set -g status-interval 0", "set -g automatic-rename off", "set -g status-right ''", "set -g status-left 'left '",
    ] + (2...4).map { "set -g status-format[\($0)] 'line \($0)'" }

  init(
    _ configuration: [String] = [], command: String = "sh", reserve: TmuxReserve = .auto,
    guardian: GuardianProcess? = nil,
    columns: Int = 80, rows: Int = 24
  ) throws {
    server = try TmuxTestServer(
      configuration: Self.configuration + configuration, command: command, columns: columns, rows: rows)
    screen = try server.attachedScreen(columns: columns, rows: rows)
    let insets = Log<TerminalInsets>()
    let errors = Log<String>()
    let gone = Log<String>()
    window = TmuxWindow(
      server: TmuxServer(socket: server.socket), reserve: reserve, guardian: guardian, onInset: { insets.append($0) },
      onGone: { gone.append("gone") }, onError: { errors.append($0) })
    self.insets = insets
    // The shell prints its prompt when it has started.
    if command == "sh" {
      let screen = screen
      _ = try eventually { try screen.rows().contains { $0.contains("$ ") } }
      try screen.settle()
    }
    self.errors = errors
    self.gone = gone
  }

  deinit {
    server.stop()
  }

  var insetsSeen: [TerminalInsets] { insets.all }
  var errorsSeen: [String] { errors.all }
  var isGone: Bool { !gone.all.isEmpty }

  /// Shows the banner and waits until a client's screen shows it.
  func show(_ frame: BannerFrame = .offline, on screen: TmuxTestScreen? = nil) throws {
    window.update(frame)
    try wait(for: frame.appearance.title, on: screen ?? self.screen)
  }

  func wait(for text: String, on screen: TmuxTestScreen) throws {
    let isThere = try eventually { try screen.rows().contains { $0.contains(text) } }
    guard isThere else {
      throw SceneError(text: "no \(text) in \(try screen.rows()); errors: \(errorsSeen)")
    }
  }

  func wait(for text: String) throws { try wait(for: text, on: screen) }

  /// Hides the banner and waits until the server holds no trace of it.
  func hide() throws {
    window.update(nil)
    guard try eventually({ try traces().isEmpty }) else {
      throw SceneError(text: "left: \(try traces()), \(errorsSeen)")
    }
  }

  /// All traces of Overline in the server.
  func traces() throws -> [String] {
    try dump().split(separator: "\n").map(String.init).filter { $0.contains("OVERLINE") }
  }

  /// Every option, every variable, every layout.
  func dump() throws -> String {
    let sessions = try server.tmux("list-sessions", "-F", "#{session_id}").split(separator: "\n")
    return try server.source(
      ([
        "show -g", "show-hooks -g", "show-environment -g", "show-environment -gh",
        "list-windows -a -F '#{window_id} #{window_layout}'",
      ]
        + sessions.flatMap { ["show -t '\($0):'", "show -v -t '\($0):' status", "show -t '\($0):' status-format"] })
        .joined(separator: "\n"))
  }

  func rowOfBanner(_ title: String = "No connection") throws -> Int? {
    try screen.rows().firstIndex { $0.contains(title) }
  }

  func paneHeight() throws -> Int {
    Int(try server.tmux("display-message", "-p", "#{pane_height}").prefix { $0.isNumber })!
  }
}

/// The lines that a server shows at a time.
enum Shown: String, CaseIterable { case nothing, toast, banner, both }

extension Scene {
  /// Shows the toast *Saved* and the banner *No connection*, or one of them, and waits until the screen shows exactly those.
  func show(_ shown: Shown) throws {
    let hasToast = shown == .toast || shown == .both
    let hasBanner = shown == .banner || shown == .both
    window.show(TmuxContent(banner: hasBanner ? .offline : nil, toast: hasToast ? .resting("Saved") : nil))
    let isThere = try eventually {
      let rows = try screen.rows()
      return rows.contains { $0.contains("Saved") } == hasToast
        && rows.contains { $0.contains("No connection") } == hasBanner
    }
    guard isThere else { throw SceneError(text: "not \(shown): \(try screen.rows()), errors: \(errorsSeen)") }
    // Programs repaint a little later, and tmux with them.
    try screen.settle()
  }
}

struct SceneError: Error, CustomStringConvertible {
  var text: String
  var description: String { text }
}

/// Values recorded by callbacks, from any thread.
final class Log<Value: Sendable>: Sendable {
  private let values = Mutex<[Value]>([])
  func append(_ value: Value) { values.withLock { $0.append(value) } }
  var all: [Value] { values.withLock { $0 } }
}

extension TmuxWindow {
  /// Shows only this banner, or nothing.
  func update(_ frame: BannerFrame?) { show(TmuxContent(banner: frame)) }
}

extension BannerFrame {
  static let offline = BannerFrame(appearance: .offline)
  static let restored = BannerFrame(appearance: .restored)

  static func titled(_ title: String, detail: String = "") -> BannerFrame {
    var appearance = BannerAppearance.offline
    appearance.title = title
    appearance.icon = nil
    return BannerFrame(appearance: appearance, detail: detail)
  }
}
