package import Overline

/// The events of a demonstration and their times.
package struct DemoScript {
  package struct Step {
    /// Since the start.
    package var at: Duration
    package var event: OverlayEvent
    /// Printed below, like a program's output.
    package var line: String
  }

  package private(set) var steps: [Step] = []
  private var time: Duration = .zero
  private var lastID = 0

  /// An outage: the cable is pulled, put back, pulled again and put back for good.
  ///
  /// - Parameter settings: its delays must not cut the outage short.
  package init(outage settings: BannerSettings) {
    let stretch = max(.zero, settings.graceDelay + settings.hideDelay - .milliseconds(2250))
    let lost = OverlayEvent.banner(.networkLost(cause: "eth0 has no carrier"))
    let restored = OverlayEvent.banner(.networkRestored)
    after(.seconds(1) + stretch, lost, "# the cable is pulled: your work moves down")
    after(.seconds(4), restored, "# the cable is back")
    after(.milliseconds(1200), lost, "# gone again: no empty screen in between")
    after(.seconds(2), restored, "# back for good: the row is given back after a moment")
  }

  /// The outage, then everything else that a window can show.
  package static func all(_ settings: BannerSettings) -> DemoScript {
    var script = DemoScript(outage: settings)
    script.wait(settings.hideDelay + .seconds(1))
    script.showCustomBanner()
    script.showToasts()
    script.showAlert()
    return script
  }

  private mutating func showCustomBanner() {
    let call = BannerAppearance.Builder().title("Call in progress").backgroundColor(.systemGreen).appearance
    after(.milliseconds(500), .banner(.bannerPresented(call)), "# a banner for anything: overline banner present …")
    after(.seconds(2), .banner(.customBannerDismissed), "# dismissed by the program that presented it")
  }

  private mutating func showToasts() {
    for style in ToastStyle.allCases {
      let content = ToastContent(title: "This is \(style.rawValue)", style: style)
      show(content, for: .milliseconds(1700), "# overline toast --style \(style.rawValue) …")
    }
    let message =
      "Its message wraps, three rows of it at most. It covers what is below for as long as it shows, takes no key, and goes."
    show(
      ToastContent(title: "From the bottom", message: message, edge: .bottom), for: .seconds(3),
      "# overline toast --edge bottom --message …")
    show(
      ToastContent(
        title: "Build", style: .success,
        rows: [
          [StyledText("build  ", attributes: .bold), StyledText("passed", attributes: .underline)],
          [StyledText("tests  ", attributes: .bold), StyledText("667 of 667")],
        ]), for: .seconds(2), "# rows of its own, from the library")
    let burst = (1...300).map { ToastContent(title: "\($0) of 300", style: .info, key: "burst") }
    for (index, content) in burst.enumerated() {
      after(.milliseconds(5), post(content), index == 0 ? "# 300 posts of one key are one toast that changes" : "")
    }
    after(.seconds(1), .toast(.frontToastDismissed), "")
  }

  private mutating func showAlert() {
    let alert = Alert(
      title: "Deploy to production?", message: "A question takes the keyboard until it is answered.",
      buttons: ["Deploy", "Cancel"])
    after(.seconds(1), .alert(.alertPosted(alert, id: AlertID(rawValue: 1))), "# overline alert … --button Deploy")
    after(
      .milliseconds(1500),
      post(ToastContent(title: "Above it", message: "And it takes no key from it.", style: .warning)),
      "# a toast at alert + 1")
    after(.milliseconds(1500), .alert(.keyPressed(.nextButton)), "")
    after(.milliseconds(800), .alert(.keyPressed(.confirm)), "# Cancel: exit status 1")
    after(.seconds(1), .toast(.frontToastDismissed), "")
  }

  private mutating func show(_ content: ToastContent, for time: Duration, _ line: String) {
    after(.milliseconds(700), post(content), line)
    after(time, .toast(.frontToastDismissed), "")
  }

  private mutating func post(_ content: ToastContent) -> OverlayEvent {
    lastID += 1
    return .toast(.toastPosted(content, id: ToastID(rawValue: lastID)))
  }

  private mutating func after(_ pause: Duration, _ event: OverlayEvent, _ line: String) {
    time += pause
    steps.append(Step(at: time, event: event, line: line))
  }

  private mutating func wait(_ pause: Duration) { time += pause }
}
