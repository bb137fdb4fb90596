import Overline
@testable import OverlineConfiguration
import OverlineTestThread
import Testing

@Suite(.ownThread) struct ToastValueTests {
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
    #expect(settings.appearance(.success).backgroundColor == .rgb(RGB(0, 0x33, 0)))
    #expect(settings.appearance(.error) == ToastSettings().appearance(.error))
  }
}
