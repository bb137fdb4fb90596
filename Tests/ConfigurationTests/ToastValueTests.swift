import Overline
import OverlineTestThread
import Testing
@testable import OverlineCore

@Suite(.ownThread) struct ToastValueTests {
  /// Where the code that uses a key finds its value.
  private enum Way {
    /// `Configuration.toastSettings`: the toasts' machine.
    case settings
    /// `Configuration.toast.input`: the keyboard and the mouse.
    case input
    /// `Overlays` reads `Configuration.toast` for a toast without the value.
    case request
  }

  /// A value of each key that is not its default.
  private static let keys: [String: (value: String, way: Way)] = [
    "policy": ("'ignore'", .settings), "duration": ("'1m'", .request), "edge": ("'bottom'", .request),
    "focus-key": ("'ctrl-t'", .input), "mouse": ("true", .input),
  ]

  @Test("each key of [toast] takes its way") func everyKeyOfToastsTakesItsWay() throws {
    let table = try #require(Configuration.documentation.first { $0.name == "toast" })
    let unlisted = Set(Self.keys.keys).symmetricDifference(table.keys.map(\.name)).sorted()
    #expect(unlisted == [], "add it to the list above")
    let (before, defaults) = (Configuration(), Configuration().toast)
    for (key, (value, way)) in Self.keys {
      let after = try parsed("toast.\(key) = \(value)")
      #expect(after.toast != defaults, "\(key)")
      #expect((after.toastSettings != before.toastSettings) == (way == .settings), "\(key)")
      #expect((after.toast.input != defaults.input) == (way == .input), "\(key)")
    }
  }

  @Test func everyKeyOfToastsIsRead() throws {
    let configuration = try parsed(
      """
      banner = { motion = "off", contrast = "enforce" }
      [toast]
      policy = "ignore"
      duration = "1m"
      edge = "bottom"
      focus-key = "Ctrl-T"
      mouse = true
      [toast.success]
      background = "#003300"
      text = "white"
      """)
    #expect(configuration.toast.duration == .seconds(60))
    #expect(configuration.toast.edge == .bottom)
    #expect(configuration.toast.input == ToastInputSettings(focusKey: 0x14, mouse: true))
    let settings = configuration.toastSettings
    #expect(settings.policy == .ignore)
    #expect(settings.motion == .off)
    #expect(settings.contrast == .enforce)
    #expect(settings.appearance(.success).backgroundColor == .rgb(.init(0, 0x33, 0)))
    #expect(settings.appearance(.error) == ToastSettings().appearance(.error))
  }
}
