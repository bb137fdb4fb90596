import Overline
import OverlineTestThread
import Testing

@Suite(.ownThread) struct ColorTests {
  @Test(arguments: [
    ("#b3261e", TerminalColor.systemRed), ("#B3261E", .systemRed), ("red", .ansi(.red)),
    ("bright-red", .ansi(.brightRed)), ("brightred", .ansi(.brightRed)), ("BrightRed", .ansi(.brightRed)),
  ])
  func parses(text: String, color: TerminalColor) throws {
    #expect(try TerminalColor(parsing: text) == color)
  }

  @Test(arguments: ["", "#", "#b326", "#b3261e0", "#-12345", "#+12345", "#b3261g", "b3261e", "crimson", "bright red"])
  func refuses(text: String) {
    #expect(throws: ColorError.self) { try TerminalColor(parsing: text) }
  }

  @Test func refusalsNameWhatIsAllowed() {
    let error = #expect(throws: ColorError.self) { try TerminalColor(parsing: "crimson") }
    #expect(
      error?.description.hasPrefix(
        "\"crimson\" is not a colour; allowed are \"#rrggbb\" and the terminal's own black, red,") == true)
    #expect(error?.description.hasSuffix("bright-cyan, bright-white") == true)
  }

  @Test func describesItselfAsItIsWritten() throws {
    for color in TerminalColor.ANSI.allCases.map(TerminalColor.ansi) + [.systemRed, .systemTeal, .black] {
      #expect(try TerminalColor(parsing: color.description) == color)
    }
    #expect(TerminalColor.systemTeal.description == "#00695c")
  }

  @Test func palette() {
    #expect(TerminalColor.RGB(0xff, 0xff, 0xff).paletteIndex == 231)
    #expect(TerminalColor.RGB(0, 0, 0).paletteIndex == 16)
    #expect(TerminalColor.RGB(0x80, 0x80, 0x80).paletteIndex == 244)
    #expect(TerminalColor.RGB(0xb3, 0x26, 0x1e).paletteIndex == 124)
    #expect(TerminalColor.RGB(paletteIndex: 124) == TerminalColor.RGB(175, 0, 0))
    for index in 16...255 as ClosedRange<UInt8> {
      let color = TerminalColor.RGB(paletteIndex: index)
      #expect(TerminalColor.RGB(paletteIndex: color.paletteIndex) == color)
    }
  }

  /// A green that is grey in the palette carries no meaning.
  @Test func thePaletteKeepsTheHueOfWhatWePick() {
    #expect(TerminalColor.systemGreen.rgb.paletteIndex == 28)
    for token in DesignToken.allCases {
      let color = token.backgroundColor.rgb
      #expect(
        TerminalColor.RGB(paletteIndex: color.paletteIndex).nearestTerminalColor == color.nearestTerminalColor,
        "\(token)")
    }
  }

  /// No colour with a clear hue loses it.
  @Test func noColourIsAGreyInThePalette() {
    let channels = stride(from: 0, through: 255, by: 17).map { UInt8($0) }
    for red in channels {
      for green in channels {
        for blue in channels where max(red, green, blue) - min(red, green, blue) >= 80 {
          let shown = TerminalColor.RGB(paletteIndex: TerminalColor.RGB(red, green, blue).paletteIndex)
          #expect(Set([shown.red, shown.green, shown.blue]).count > 1, "\(red) \(green) \(blue)")
        }
      }
    }
  }

  @Test func theTerminalsOwnColours() {
    #expect(TerminalColor.RGB(0xb3, 0x26, 0x1e).nearestTerminalColor == .red)
    #expect(TerminalColor.RGB(0x00, 0x69, 0x5c).nearestTerminalColor == .cyan)
    #expect(TerminalColor.systemGreen.rgb.nearestTerminalColor == .green)
    #expect(TerminalColor.systemBlue.rgb.nearestTerminalColor == .blue)
    #expect(TerminalColor.systemGray.rgb.nearestTerminalColor == .brightBlack)
    #expect(TerminalColor.RGB(0xff, 0xff, 0xff).nearestTerminalColor == .brightWhite)
    #expect(TerminalColor.RGB(0, 0, 0).nearestTerminalColor == .black)
    for color in TerminalColor.ANSI.allCases { #expect(color.rgb.nearestTerminalColor == color) }
  }
}

@Suite(.ownThread) struct ContrastTests {
  @Test func ratiosOfTheStandard() {
    #expect(abs(TerminalColor.RGB(0, 0, 0).contrast(with: TerminalColor.RGB(0xff, 0xff, 0xff)) - 21) < 1e-9)
    #expect(TerminalColor.RGB(9, 9, 9).contrast(with: TerminalColor.RGB(9, 9, 9)) == 1)
    // WebAIM's contrast checker: #777777 on white is 4.48, #767676 is 4.54.
    let white = TerminalColor.RGB(0xff, 0xff, 0xff)
    #expect(Int(TerminalColor.RGB(0x77, 0x77, 0x77).contrast(with: white) * 100) == 447)
    #expect(Int(TerminalColor.RGB(0x76, 0x76, 0x76).contrast(with: white) * 100) == 454)
  }

  @Test(arguments: ColorDepth.allCases)
  func builtInPairsCanBeRead(depth: ColorDepth) {
    let backgrounds: [TerminalColor] = [.systemRed, .systemOrange, .systemGreen, .systemTeal, .systemBlue, .systemGray]
    let pairs =
      [BannerAppearance.offline, .restored, .limited, .standard]
      + backgrounds.map { BannerAppearance(title: "", backgroundColor: $0, textColor: .white) }
    for pair in pairs { #expect(pair.adapted(to: depth).contrast >= 4.5, "\(pair)") }
  }

  @Test func aWarningNamesTheRatioCutOff() throws {
    let appearance = BannerAppearance(
      title: "", backgroundColor: .white, textColor: .rgb(.init(0x77, 0x77, 0x77)))
    let warning = try #require(appearance.contrastWarning)
    #expect(warning.description.hasPrefix("text #777777 on #ffffff has a contrast of 4.47:1, below 4.5:1; #"))
    #expect(appearance.applying(.warn) == appearance)
    #expect(appearance.applying(.enforce).contrast >= 4.5)
    #expect(BannerAppearance.offline.contrastWarning == nil)
    #expect(BannerAppearance.offline.applying(.enforce) == .offline)
  }

  @Test func correctionsReadAndKeepTheirHue() {
    for background in 0...255 as ClosedRange<UInt8> {
      let appearance = BannerAppearance(
        title: "", backgroundColor: .rgb(.init(background, background, background)),
        textColor: .rgb(.init(0xc0, 0x30, 0x30)))
      let corrected = appearance.applying(.enforce)
      #expect(corrected.contrast >= 4.5)
      if background < 0x40 || background > 0xd0 {
        #expect(corrected.textColor.rgb.red > corrected.textColor.rgb.green)
      }
    }
  }

  @Test func coloursAdaptWithoutLosingContrast() {
    for red in stride(from: 0, through: 255, by: 15) {
      for green in stride(from: 0, through: 255, by: 15) {
        let appearance = BannerAppearance(
          title: "", backgroundColor: .rgb(.init(UInt8(red), UInt8(green), 0x40)), textColor: .white)
        guard appearance.contrastWarning == nil else { continue }
        #expect(appearance.adapted(to: .palette256).contrast >= 4.5)
        #expect(appearance.adapted(to: .ansi16).contrast >= 4.5)
      }
    }
  }

  @Test func dimmedTextCanBeRead() {
    for depth in [ColorDepth.palette256, .truecolor] {
      let dimmed = BannerAppearance.offline.adapted(to: depth).dimmedTextColor(on: depth)
      #expect(dimmed != .white)
      #expect(dimmed.rgb.contrast(with: BannerAppearance.offline.adapted(to: depth).backgroundColor.rgb) >= 4.5)
    }
  }
}

@Suite(.ownThread) struct AppearanceTests {
  @Test func aBuilderTakesTheRestFromTheDefaults() {
    let built = BannerAppearance.Builder().title("Call in progress").backgroundColor(.systemGreen).appearance
    #expect(built.title == "Call in progress")
    #expect(built.backgroundColor == .systemGreen)
    #expect(built.textColor == BannerAppearance.standard.textColor)
    #expect(built.attributes == .bold)
    let plain = BannerAppearance.Builder(.offline).bold(false).underline().italic().height(3).titleTopInset(1).icon(nil)
      .textColor(.black).appearance
    #expect(plain.attributes == [.underline, .italic])
    #expect(plain.title == "No connection" && plain.height == 3 && plain.titleTopInset == 1 && plain.icon == nil)
    #expect(plain.textColor == .black)
  }

  @Test(
    arguments: [
      // rows, height, title inset → height, title inset; nil: nothing
      (24, 3, 1, 3, 1), (16, 3, 1, 3, 1), (15, 3, 1, 1, 0), (5, 3, 1, 1, 0), (4, 3, 1, nil, nil), (4, 1, 0, nil, nil),
      (24, 20, 1, 20, 1), (24, 21, 1, nil, nil), (nil, 21, 1, 21, 1), (24, 0, 7, 1, 0), (24, 2, 7, 2, 1),
      (24, Int.max, 1, nil, nil),
      (0, 1, 0, nil, nil),
    ] as [(Int?, Int, Int, Int?, Int?)])
  func effective(rows: Int?, height: Int, inset: Int, shown: Int?, shownInset: Int?) {
    let appearance = BannerAppearance.Builder().height(height).titleTopInset(inset).appearance
    let effective = appearance.effective(rows: rows, columns: 80)
    #expect(effective?.height == shown)
    #expect(effective?.titleTopInset == shownInset)
  }

  @Test func tmuxHasOneLine() {
    let tall = BannerAppearance.Builder().height(3).titleTopInset(2).appearance
    #expect(tall.effective(rows: nil, columns: nil, maximumHeight: 1)?.height == 1)
    #expect(tall.effective(rows: 24, columns: 0) == nil)
  }

  @Test func withoutColoursThereIsAlwaysAnIcon() {
    #expect(BannerAppearance.standard.adapted(to: .monochrome).icon == .notice)
    #expect(BannerAppearance.standard.adapted(to: .ansi16).icon == .notice)
    #expect(BannerAppearance.offline.adapted(to: .ansi16).icon == .warning)
    #expect(BannerAppearance.standard.adapted(to: .palette256).icon == nil)
  }
}
