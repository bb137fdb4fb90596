import Overline
import OverlineTestThread
import Testing

/// A driver of a toast machine, with a record of what shows.
private struct ToastScene {
  var machine: ToastMachine
  var now = Duration.seconds(100)
  var ended: [Int] = []
  var frames: [ToastFrame?] = []
  private var last = 0

  init(
    policy: ToastSettings.Policy = .queue, motion: BannerSettings.Motion = .off, colors: ColorDepth = .truecolor
  ) {
    machine = ToastMachine(
      settings: ToastSettings(policy: policy, motion: motion),
      window: WindowTraits(rows: 24, columns: 80, colors: colors)
    )
  }

  var title: String? { machine.frame?.content.title }

  @discardableResult
  mutating func post(
    _ title: String, duration: Duration? = .seconds(3), edge: ToastEdge = .top, key: String? = nil
  ) -> Int {
    last += 1
    let content = ToastContent(title: title, duration: duration, edge: edge, key: key)
    send(.toastPosted(content, id: ToastID(rawValue: last)))
    return last
  }

  mutating func send(_ event: ToastEvent) {
    let before = machine.frame
    for case .toastEnded(let id) in machine.handle(event, at: now) { ended.append(id.rawValue) }
    if machine.frame != before { frames.append(machine.frame) }
  }

  /// Lets time pass, and delivers each deadline on time.
  mutating func pass(_ time: Duration) {
    let end = now + time
    while let deadline = machine.nextDeadline, deadline <= end {
      now = max(now, deadline)
      send(.deadlineReached)
    }
    now = end
  }
}

@Suite(.ownThread) struct ToastMachineTests {
  @Test func itShowsForItsTimeAndGoes() {
    var scene = ToastScene()
    scene.post("Saved")
    #expect(scene.title == "Saved")
    scene.pass(.milliseconds(2999))
    #expect(scene.title == "Saved")
    scene.pass(.milliseconds(1))
    #expect(scene.title == nil)
    #expect(scene.ended == [1])
    #expect(scene.machine.nextDeadline == nil)
  }

  @Test(arguments: [
    (Duration.milliseconds(1), Duration.seconds(3)), (.seconds(-5), .seconds(3)), (.seconds(10), .seconds(10)),
  ])
  func threeSecondsAreTheLeast(asked: Duration, rest: Duration) {
    var scene = ToastScene()
    scene.post("Saved", duration: asked)
    scene.pass(rest - .milliseconds(1))
    #expect(scene.title == "Saved")
    scene.pass(.milliseconds(1))
    #expect(scene.title == nil)
  }

  @Test(arguments: [nil, Duration.zero])
  func aStickyOneStaysUntilItIsDismissed(_ duration: Duration?) {
    var scene = ToastScene()
    let id = scene.post("Deploying", duration: duration)
    scene.pass(.seconds(1_000_000))
    #expect(scene.title == "Deploying")
    scene.send(.toastDismissed(ToastID(rawValue: id)))
    #expect(scene.title == nil)
    #expect(scene.ended == [id])
  }

  /// A huge duration neither traps nor ends.
  @Test func aHugeDurationIsNoOverflow() {
    var scene = ToastScene()
    scene.post("Long", duration: Duration(secondsComponent: .max, attosecondsComponent: 0))
    scene.pass(.seconds(1_000_000_000))
    #expect(scene.title == "Long")
  }

  @Test func oneAtATimeInTheirOrder() {
    var scene = ToastScene()
    for title in ["A", "B", "C"] { scene.post(title) }
    #expect(scene.title == "A")
    scene.pass(.seconds(3))
    #expect(scene.title == "B")
    scene.pass(.seconds(3))
    #expect(scene.title == "C")
    scene.pass(.seconds(3))
    #expect(scene.machine.isEmpty)
    #expect(scene.ended == [1, 2, 3])
  }

  @Test func theQueueIsBounded() {
    var scene = ToastScene()
    for number in 1...300 { scene.post("\(number)") }
    #expect(scene.ended.count == 300 - 33)
    #expect(scene.ended == Array(2...268), "the oldest that wait go")
    scene.pass(.seconds(3 * 33))
    #expect(Set(scene.ended).count == 300)
    #expect(scene.ended.count == 300)
  }

  @Test func replacingTakesThePlaceAtOnce() {
    var scene = ToastScene(policy: .replace)
    scene.post("A")
    scene.pass(.seconds(2))
    scene.post("B")
    #expect(scene.title == "B")
    #expect(scene.ended == [1])
    scene.pass(.seconds(2))
    #expect(scene.title == "B", "its own time")
    scene.post("C", edge: .bottom)
    #expect(scene.title == "C")
    #expect(scene.ended == [1, 2])
  }

  @Test(arguments: [ToastEdge.top, .bottom])
  func aReplacedToastEndsAfterTheNewOneIsDrawn(edge: ToastEdge) {
    var scene = ToastScene(policy: .replace, motion: .on)
    let old = ToastID(rawValue: scene.post("A"))
    scene.pass(.seconds(1))
    let new = ToastContent(title: "B", edge: edge)
    let effects = scene.machine.handle(.toastPosted(new, id: ToastID(rawValue: 2)), at: scene.now)
    #expect(effects == [.toastEnded(old)])
    #expect(scene.machine.current == new)
    #expect(scene.machine.frame?.content == new)
    #expect(scene.title == "B")
  }

  @Test func ignoringKeepsWhatShows() {
    var scene = ToastScene(policy: .ignore)
    scene.post("A")
    scene.post("B")
    #expect(scene.title == "A")
    #expect(scene.ended == [2])
  }

  @Test func theSameAgainIsOneToastWhoseTimeStartsAnew() {
    var scene = ToastScene()
    scene.post("A")
    scene.pass(.seconds(2))
    scene.post("A")
    #expect(scene.ended == [1])
    scene.pass(.seconds(2))
    #expect(scene.title == "A")
    scene.pass(.seconds(1))
    #expect(scene.machine.isEmpty)
    #expect(scene.ended == [1, 2])
  }

  @Test func aKeyIsOneToastThatChanges() {
    var scene = ToastScene()
    scene.post("10 %", key: "download")
    scene.post("Other")
    scene.post("50 %", key: "download")
    #expect(scene.title == "50 %")
    scene.post("Waiting 1", key: "wait")
    scene.post("Waiting 2", key: "wait")
    scene.pass(.seconds(6))
    #expect(scene.title == "Waiting 2")
  }

  @Test func oneThatWaitsCanBeDismissed() {
    var scene = ToastScene()
    scene.post("A")
    let second = scene.post("B")
    scene.send(.toastDismissed(ToastID(rawValue: second)))
    #expect(scene.ended == [second])
    scene.pass(.seconds(3))
    #expect(scene.machine.isEmpty)
  }

  @Test func itSlidesInAndOut() {
    var scene = ToastScene(motion: .on)
    scene.post("Saved")
    #expect(scene.machine.frame!.visibility > 0)
    #expect(scene.machine.frame!.visibility < 1)
    scene.pass(.milliseconds(300))
    #expect(scene.machine.frame!.visibility == 1)
    let entering = scene.frames.compactMap { $0?.visibility }
    #expect(entering == entering.sorted())
    #expect((2...9).contains(entering.count), "at most 30 a second")
    scene.frames = []
    scene.pass(.milliseconds(3000))
    #expect(scene.ended.isEmpty, "not before it is gone")
    scene.pass(.milliseconds(300))
    #expect(scene.ended == [1])
    #expect(scene.frames.last! == nil)
    let leaving = scene.frames.compactMap { $0?.visibility }
    #expect(leaving == leaving.sorted(by: >))
  }

  @Test(arguments: [ToastStyle.info, .success, .warning, .error])
  func everyFrameCanBeRead(_ style: ToastStyle) {
    for colors in [ColorDepth.ansi16, .palette256, .truecolor] {
      var scene = ToastScene(motion: .on, colors: colors)
      scene.send(.toastPosted(ToastContent(title: "Saved", style: style), id: ToastID(rawValue: 1)))
      scene.pass(.milliseconds(500))
      scene.send(.dragBegan)
      for rows in 0...9 { scene.send(.dragMoved(rows: rows)) }
      scene.send(.dragEnded(rows: 9))
      scene.pass(.seconds(5))
      for frame in scene.frames.compactMap({ $0 }) {
        #expect(frame.appearance.contrastWarning == nil, "\(colors): \(frame.appearance)")
      }
    }
  }
}

@Suite(.ownThread) struct ToastDragTests {
  @Test func beyondTheThresholdItGoes() {
    var scene = ToastScene()
    scene.post("A")
    scene.send(.dragBegan)
    scene.send(.dragMoved(rows: 1))
    #expect(scene.machine.frame!.draggedRows == 1)
    scene.send(.dragEnded(rows: 2))
    #expect(scene.machine.isEmpty)
  }

  /// Of any height and dragged any distance: it leaves from where the button was released, and never moves back.
  @Test(arguments: 2...9)
  func whatIsDraggedAwayGoesOnFromThere(rows: Int) {
    var scene = ToastScene(motion: .on)
    scene.post("A")
    scene.pass(.seconds(1))
    scene.send(.dragBegan)
    scene.send(.dragMoved(rows: rows))
    scene.frames = [scene.machine.frame]
    scene.send(.dragEnded(rows: rows))
    scene.pass(.milliseconds(300))
    #expect(scene.machine.isEmpty)
    let frames = scene.frames.compactMap { $0 }
    #expect(frames.count > 2)
    for height in 1...8 {
      let visible = frames.map { $0.visibleRows(of: height) }
      #expect(visible == visible.sorted(by: >))
    }
    let luminances = frames.map(\.appearance.backgroundColor.rgb.relativeLuminance)
    #expect(luminances == luminances.sorted(by: >))
  }

  @Test func shortOfItItSnapsBackAndItsTimeStartsAnew() {
    var scene = ToastScene()
    scene.post("A")
    scene.pass(.seconds(2))
    scene.send(.dragBegan)
    scene.send(.dragMoved(rows: 1))
    scene.pass(.seconds(60))
    #expect(scene.title == "A", "held")
    scene.send(.dragEnded(rows: 1))
    #expect(scene.machine.frame!.draggedRows == 0)
    scene.pass(.milliseconds(2999))
    #expect(scene.title == "A")
    scene.pass(.milliseconds(1))
    #expect(scene.machine.isEmpty)
  }

  /// The program turned the mouse off meanwhile.
  @Test func aButtonThatIsNeverLetGoHoldsItNoLonger() {
    var scene = ToastScene()
    scene.post("A")
    scene.send(.dragBegan)
    #expect(scene.machine.isHeld)
    scene.send(.dragCancelled)
    #expect(!scene.machine.isHeld)
    scene.pass(.milliseconds(2999))
    #expect(scene.title == "A")
    scene.pass(.milliseconds(1))
    #expect(scene.machine.isEmpty)
  }

  @Test func theOtherDirectionDoesNothing() {
    var scene = ToastScene()
    scene.post("A")
    let before = scene.machine.frame
    scene.send(.dragBegan)
    scene.send(.dragMoved(rows: -5))
    #expect(scene.machine.frame == before)
    scene.send(.dragEnded(rows: -5))
    #expect(scene.title == "A")
  }

  @Test func aClickDismissesIt() {
    var scene = ToastScene()
    scene.post("A")
    scene.send(.dragBegan)
    scene.send(.dragEnded(rows: 0))
    #expect(scene.machine.isEmpty)
    // A button moved there and back is no drag.
    scene.post("B")
    scene.send(.dragBegan)
    scene.send(.dragMoved(rows: 1))
    scene.send(.dragMoved(rows: 0))
    scene.send(.dragEnded(rows: 0))
    #expect(scene.title == "B")
  }

  @Test func opacityFollowsTheDragButNeverBelowHalf() {
    var scene = ToastScene()
    scene.post("A")
    let whole = scene.machine.frame!.appearance.backgroundColor.rgb
    scene.send(.dragBegan)
    var seen: [TerminalColor.RGB] = [whole]
    for rows in 1...9 {
      scene.send(.dragMoved(rows: rows))
      let color = scene.machine.frame!.appearance.backgroundColor.rgb
      #expect(color.relativeLuminance <= seen.last!.relativeLuminance)
      seen.append(color)
    }
    #expect(seen[1] != whole)
    #expect(seen[5] == seen[9], "half, and no further")
  }
}

@Suite(.ownThread) struct ToastPropertyTests {
  /// In any sequence each toast ends once, at most one is visible, and at the end none is left.
  @Test(arguments: 1...200)
  func everyToastEndsOnce(seed: UInt64) {
    var random = SeededGenerator(state: seed)
    var scene = ToastScene(
      policy: [.queue, .replace, .ignore].randomElement(using: &random)!, motion: seed % 2 == 0 ? .on : .off)
    var posted = 0
    for _ in 0..<200 {
      switch Int.random(in: 0..<10, using: &random) {
      case 0...3:
        posted = scene.post(
          ["A", "B", "C"].randomElement(using: &random)!,
          duration: [nil, .seconds(3), .seconds(9)].randomElement(using: &random)!,
          edge: Bool.random(using: &random) ? .top : .bottom,
          key: [nil, nil, "k"].randomElement(using: &random)!)
      case 4: scene.send(.toastDismissed(ToastID(rawValue: .random(in: 1...max(1, posted), using: &random))))
      case 5: scene.send(.frontToastDismissed)
      case 6: scene.send([.dragBegan, .dragMoved(rows: 1), .dragEnded(rows: 3)].randomElement(using: &random)!)
      case 7: scene.send(.windowResized(rows: .random(in: 1...30, using: &random), columns: 80))
      default: scene.pass(.milliseconds(.random(in: 0...4000, using: &random)))
      }
      #expect(Set(scene.ended).count == scene.ended.count)
    }
    scene.send(.dragEnded(rows: 0))
    while !scene.machine.isEmpty {
      scene.send(.frontToastDismissed)
      scene.pass(.seconds(1))
    }
    #expect(scene.ended.sorted() == Array(0...posted).dropFirst().map { $0 })
    #expect(scene.machine.frame == nil)
    #expect(scene.machine.nextDeadline == nil)
  }
}

@Suite(.ownThread) struct ToastAnnouncementTests {
  @Test(arguments: [
    ("Saved successfully", "", ToastStyle.success, "Success: Saved successfully"),
    (
      "Connection failed", "Check your internet and try again.", .error,
      "Error: Connection failed. Check your internet and try again."
    ),
    ("Really?", "Think.", .warning, "Warning: Really? Think."), ("", "", .info, "Info: "),
  ])
  func wordsForEars(title: String, message: String, style: ToastStyle, expected: String) {
    #expect(ToastContent(title: title, message: message, style: style).announcement == expected)
  }

  @Test(arguments: DesignToken.allCases)
  func everyTokenCanBeRead(_ token: DesignToken) {
    for colors in ColorDepth.allCases {
      #expect(BannerAppearance(token).adapted(to: colors).contrastWarning == nil, "\(token) in \(colors)")
    }
    #expect(token.icon.ascii.utf8.count == 1)
    #expect(token.icon.glyph.count == 1)
  }
}
