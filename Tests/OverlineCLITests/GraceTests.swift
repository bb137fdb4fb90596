import OverlineCore
import OverlineSystem
import OverlineTestSupport
import OverlineTestThread
import Testing

/// The grace delay, in a real monitor: the state tells the truth at once, and whatever shows the banner waits with it.
@Suite(.ownThread) struct GraceTests {
  /// A world with a monitor in the middle of a long grace delay.
  private func outage() throws -> (World, TestProgram) {
    let world = try World()
    try world.configure("[banner]\ngrace-delay = \"60s\"\n[hooks]\non-offline = \"touch \(world.folder)/ran\"\n")
    let monitor = try world.startMonitor()
    let watch = try world.watchWords()
    try world.pullTheCable()
    try watch.lines.first("the outage") { $0 == "offline" }
    return (world, monitor)
  }

  @Test("in every format the state is offline at once, and no bar has words") func everyFormat() throws {
    let (world, monitor) = try outage()
    for format in ObserverFormat.allCases {
      let status = try world.overline("status", "--format", format.rawValue)
      #expect(status.status == 1, "\(format)")
      let watch = try world.start("watch", "--format", format.rawValue)
      let line = try watch.lines.first("a state") {
        !format.preamble.split(separator: "\n").map(String.init).contains($0)
      }
      #expect(status.outputText.hasPrefix(line), "\(format): \(line)")
      #expect(!status.outputText.contains("online"), "\(format): \(status.outputText)")
      #expect(!status.outputText.contains("No connection"), "\(format): \(status.outputText)")
      if !format.isBar || format == .waybar { #expect(status.outputText.contains("offline"), "\(format)") }
    }
    let state = try JSONValue(parsing: world.overline("status", "--json").output)
    #expect(state["state"] == .string("offline") && state["path"]?["status"] == .string("unsatisfied"))
    #expect(state["banner"]?["phase"] == .string("grace"))
    let file = "\(world.folder)/overline/state"
    #expect(
      eventually {
        let text = (try? Files.read(file)).map { String(decoding: $0, as: UTF8.self) } ?? ""
        return text.contains("OVERLINE_STATE='offline'\n") && text.contains("OVERLINE_PHASE='grace'\n")
          && text.contains("OVERLINE_TITLE=''\n")
      })
    #expect(try world.overline("wait", "--for", "offline", "--timeout", "10").status == 0)
    #expect(try world.overline("wait", "--timeout", "0").status == 1)
    // The hook waits, as the guide says.
    #expect(!Files.exists("\(world.folder)/ran"))
    #expect(monitor.end(.terminate) == 0)
  }

  @Test("the guide and watch's help say what waits for the grace delay") func itIsDocumented() throws {
    let world = try World()
    let help = try world.overline("watch", "--help").outputText.split { $0.isWhitespace }.joined(separator: " ")
    #expect(help.contains("The state is offline as soon as the kernel has no route"))
    #expect(help.contains("come with the banner, after the grace delay"))
    let page = try MarkdownDocument("Sources/OverlineCLI/OverlineCLI.docc/Guide/BarsAndPrompts.md").prose
      .joined(separator: "\n")
    let section =
      page.split(separator: "## At once, or after the grace delay").last?.split(separator: "\n## ").first ?? ""
    for word in [
      "`prompt`", "`text`", "`json`", "`env`", "the state file", "`alt`", "`plain`", "each bar", "hooks",
      "`overline wait`",
    ] {
      #expect(section.contains(word), "\(word)")
    }
  }
}
