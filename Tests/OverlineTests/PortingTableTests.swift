import NetworkPath
import Overline
import OverlineProcess
import OverlineSystem
import OverlineTestThread
import Testing

/// The lines of PortingFromApple.md, as its reader would write them. They need not run.
@MainActor private func portedLines(_ window: TerminalWindow) {
  window.presentTopBanner { config in config.title("Call") }
  window.presentTopBanner { $0.height(2) }
  window.presentTopBanner { $0.bold() }
  window.startNetworkMonitoring(hideDelay: .seconds(2))
  window.toast("Saved", duration: .seconds(3))
  let toast = window.toast(message: "Saved")
  let badge = Toast(ToastContent(title: "REC", duration: nil, level: .alert + 1))
  ToastManager.shared.show(message: "Copied")
  let recording = Overlay("REC")
  withExtendedLifetime((toast, badge, recording)) {}
}

/// Lines of articles that compile as they are.
private func unchangedLines(_ window: TerminalWindow) {
  window.presentTopBanner { config in
    config.title("Network Connection Lost")
    config.backgroundColor(.red)
    config.textColor(.white)
  }
  window.presentTopBanner { config in
    config
      .title("Network Connection Lost")
      .backgroundColor(.systemRed)
      .textColor(.white)
  }
  if window.isBannerPresented { window.dismissTopBanner() }
  window.toast("Saved", message: nil)
  struct Page: ToastDisplayable {}
  Page().toast(message: "Copied")
  let level = OverlayLevel.alert + 1
  _ = level > .statusBar
}

@MainActor final class ToastManager {
  static let shared = ToastManager()
  private var toast: Toast?

  func show(message: String) {
    if toast?.isPresented == true { return }
    toast = TerminalWindow.current.toast(message: message)
  }
}

final class Overlay {
  private let toast: Toast

  init(_ title: String) {
    toast = Toast(ToastContent(title: title, duration: nil, level: .alert + 1))
    TerminalWindow.current.present(toast)
  }

  deinit { toast.dismiss() }
}

@Suite(.ownThread) struct PortingTableTests {
  private func text(_ path: String) throws -> String {
    String(decoding: try Files.read(path), as: UTF8.self)
  }

  /// Each line that the table gives is in this file, which compiles; so are the classes below the table.
  @Test func theTableCompiles() throws {
    let source = try text(#filePath)
    let article = try text(
      #filePath.split(separator: "/").dropLast(3).map { "/" + $0 }.joined()
        + "/Sources/Overline/Overline.docc/PortingFromApple.md")
    let section = try #require(article.firstRange(of: "### Banners, levels").map { article[$0.lowerBound...] })
    let rows = section.split(separator: "\n").filter { $0.hasPrefix("| `") }
    #expect(rows.count == 9)
    for row in rows {
      // | article | `line` and more | reason |
      let cell = row.split(separator: "|", omittingEmptySubsequences: false)[2]
      let line = String(cell.split(separator: "`")[1])
      #expect(source.contains("  \(line)\n"), "\(line)")
    }
    let classes = section.split(separator: "```swift\n")[1].split(separator: "```")[0]
    #expect(source.contains(classes))
  }
}
