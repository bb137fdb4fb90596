import Overline
import OverlineTestThread
import Testing

@Suite(.ownThread) struct MotionTests {
  /// The frames of an outage: in, across, out.
  private func outage(_ window: WindowTraits, _ settings: BannerSettings = BannerSettings()) -> [[BannerFrame]] {
    var machine = BannerMachine(settings: settings, window: window)
    let into = machine.changes(after: .networkFoundLost(cause: ""), at: .zero) + machine.run(until: .seconds(1))
    let across = machine.changes(after: .networkRestored, at: .seconds(1)) + machine.run(until: .milliseconds(2999))
    let out = machine.run(until: .seconds(9))
    #expect(machine.frame == nil)
    return [into.frames, across.frames, out.frames]
  }

  @Test func aTerminalGetsThirtyFramesASecond() {
    // The last of seven frames in looks like the one before it.
    #expect(outage(window).map(\.count) == [6, 6, 7])
    var machine = BannerMachine(window: window)
    machine.handle(.networkFoundLost(cause: ""), at: .zero)
    var last = Duration.zero
    while let deadline = machine.nextDeadline {
      #expect(deadline - last >= .milliseconds(33))
      last = deadline
      machine.handle(.deadlineReached, at: deadline)
    }
    #expect(last < .milliseconds(250))
  }

  @Test(arguments: [
    (WindowTraits.tmux(edge: .top), [6, 6, 6]),
    (WindowTraits.reference, [1, 1, 0]),
    (WindowTraits(colors: .ansi16), [1, 1, 0]),
    (WindowTraits(colors: .monochrome), [1, 1, 0]),
    (WindowTraits(reducesMotion: true), [1, 1, 0]),
  ])
  func elsewhereFewerOrNone(window: WindowTraits, frames: [Int]) {
    #expect(outage(window).map(\.count) == frames)
  }

  @Test func aPaletteFadesInFourToSixSteps() {
    let outage = outage(WindowTraits(colors: .palette256))
    // Steps that the palette cannot tell apart are not drawn twice.
    for fade in outage { #expect((2...6).contains(fade.count)) }
    for frame in outage.joined() {
      for case .rgb(let color) in [frame.appearance.backgroundColor, frame.appearance.textColor] {
        #expect(TerminalColor.RGB(paletteIndex: color.paletteIndex) == color)
      }
    }
  }

  @Test func motionOffMeansOneRepaint() {
    #expect(outage(window, BannerSettings(motion: .off)).map(\.count) == [1, 1, 0])
    #expect(outage(WindowTraits(reducesMotion: true), BannerSettings(motion: .on)).map(\.count) == [6, 6, 7])
  }

  @Test func fadesEndExactlyAndChangeTextAtOnce() {
    let outage = outage(window)
    #expect(outage[0].last?.appearance == .offline)
    #expect(outage[1].last?.appearance == .restored)
    #expect(outage[1].first?.appearance.title == "Back online")
    #expect(outage[1].first?.appearance.backgroundColor != .systemTeal)
    // While it moves in and out a banner is darker than at rest. Its text is white: the contrast is never lower.
    let atRest = BannerAppearance.offline.contrast
    for frame in outage[0] { #expect(frame.appearance.contrast >= atRest) }
    #expect(outage[0].first!.appearance.contrast > atRest + 1)
    #expect(outage[2].last!.appearance.contrast > outage[2].first!.appearance.contrast)
  }

  @Test func aTallBannerSlidesWithOneInset() {
    var tall = call
    tall.height = 5
    var machine = BannerMachine(window: window)
    var effects = machine.changes(after: .bannerPresented(tall), at: .zero) + machine.run(until: .seconds(1))
    #expect(effects.insets == [TerminalInsets(top: 5)])
    var hidden = effects.frames.map(\.hiddenRows)
    #expect(hidden.first! < 5 && hidden.last == 0 && hidden.count >= 3)
    #expect(hidden == hidden.sorted(by: >))
    effects = machine.changes(after: .customBannerDismissed, at: .seconds(2)) + machine.run(until: .seconds(3))
    hidden = effects.frames.map(\.hiddenRows)
    #expect(hidden == hidden.sorted() && hidden.count >= 3)
    #expect(effects.insets == [TerminalInsets()])
  }

  /// With a slide its title would be out of sight for the time of the slide.
  @Test func aBannerThatGrowsHasItsNewRowsAtOnce() {
    var tall = call
    tall.height = 4
    tall.backgroundColor = .systemBlue
    var machine = BannerMachine(window: window)
    machine.handle(.bannerPresented(call), at: .zero)
    _ = machine.run(until: .seconds(1))
    let effects = machine.changes(after: .bannerPresented(tall), at: .seconds(2)) + machine.run(until: .seconds(3))
    #expect(effects.frames.count == 6)
    for frame in effects.frames { #expect(frame.hiddenRows == 0) }
    #expect(effects.frames.last == BannerFrame(appearance: tall))
  }

  @Test func aChangeDuringASlideSlidesOnAndNeverHidesALowerBannerWhole() {
    var tall = call
    tall.height = 6
    for height in [1, 6] {
      var machine = BannerMachine(window: window)
      let first = machine.changes(after: .bannerPresented(tall), at: .zero).frames
      var other = tall
      other.height = height
      other.title = "Call on hold"
      let effects =
        machine.changes(after: .bannerPresented(other), at: .milliseconds(1)) + machine.run(until: .seconds(3))
      let hidden = effects.frames.map(\.hiddenRows)
      #expect(hidden.first! < height && hidden.first! <= first[0].hiddenRows)
      #expect((height > 1) == (hidden.first! > 0))
      #expect(hidden.last == 0)
    }
  }

  @Test func aLossWhileTheBannerGoesCrossFadesBackFromWhereItIs() throws {
    var machine = BannerMachine(window: window)
    machine.handle(.networkFoundLost(cause: ""), at: .zero)
    _ = machine.run(until: .seconds(1))
    machine.handle(.networkRestored, at: .seconds(1))
    _ = machine.run(until: .milliseconds(3100))
    #expect(machine.phase == .leaving)
    #expect(machine.status.phase == .hidden)
    let effects =
      machine.changes(after: .networkLost(cause: ""), at: .milliseconds(3101)) + machine.run(until: .seconds(5))
    #expect(effects.insets == [])
    #expect(!effects.contains(.cleared))
    #expect(effects.frames.count == 6)
    #expect(effects.frames.first?.appearance.backgroundColor != .systemRed)
    #expect(effects.frames.last?.appearance == .offline)
  }

  @Test func aFloodOfChangesIsNoFloodOfFrames() {
    var machine = BannerMachine(settings: still, window: window)
    var count = 0
    for millisecond in 0..<1000 {
      var appearance = call
      appearance.title = "\(millisecond)"
      count += machine.changes(after: .bannerPresented(appearance), at: .milliseconds(millisecond)).frames.count
    }
    #expect((25...31).contains(count))
    _ = machine.run(until: .seconds(2))
    #expect(machine.frame?.appearance.title == "999")
  }

  @Test func lateFramesArePassedOver() {
    var machine = BannerMachine(window: window)
    machine.handle(.networkFoundLost(cause: ""), at: .zero)
    #expect(machine.changes(after: .deadlineReached, at: .seconds(60)).frames.map(\.appearance) == [.offline])
    #expect(machine.nextDeadline == nil)
  }

  /// Fades between all pairs of readable colours, in both colour depths that fade: each frame is readable too.
  @Test(arguments: [ColorDepth.truecolor, .palette256])
  func everyFrameCanBeRead(depth: ColorDepth) {
    let levels: [UInt8] = [0, 0x80, 0xff]
    let colors = levels.flatMap { r in levels.flatMap { g in levels.map { b in TerminalColor.RGB(r, g, b) } } }
    let pairs = colors.flatMap { background in
      [
        TerminalColor.RGB(0, 0, 0), TerminalColor.RGB(0xff, 0xff, 0xff), TerminalColor.RGB(0xff, 0xff, 0),
        TerminalColor.RGB(0, 0, 0x60),
      ].map { text in
        BannerAppearance(title: "", backgroundColor: .rgb(background), textColor: .rgb(text))
      }
    }.filter { $0.contrastWarning == nil }
    #expect(pairs.count > 30)
    var worst = 21.0
    for (index, from) in pairs.enumerated() {
      for to in pairs[index...] {
        var machine = BannerMachine(window: WindowTraits(colors: depth))
        var effects = machine.changes(after: .bannerPresented(from), at: .zero) + machine.run(until: .seconds(1))
        effects += machine.changes(after: .bannerPresented(to), at: .seconds(1)) + machine.run(until: .seconds(2))
        effects += machine.changes(after: .customBannerDismissed, at: .seconds(2)) + machine.run(until: .seconds(3))
        for frame in effects.frames { worst = min(worst, frame.appearance.contrast) }
      }
    }
    #expect(worst >= 4.5)
  }
}

extension BannerAppearance {
  var contrast: Double { textColor.rgb.contrast(with: backgroundColor.rgb) }
}
