@testable import Overline
import OverlineTestThread
import Testing

/// Hazard 13: the mouse counts from below the banner.
@Suite(.ownThread) struct MouseInputTests {
  @Test func everyEncodingIsMovedUp() {
    var sgr = InputScene(offset: 3, mouse: .any, encoding: .sgr)
    #expect(sgr.read("a␛[<0;10;7Mb␛[<32;10;8M␛[<0;10;8mc") == "a␛[<0;10;4Mb␛[<32;10;5M␛[<0;10;5mc")
    var urxvt = InputScene(offset: 3, mouse: .any, encoding: .urxvt)
    #expect(urxvt.read("␛[32;10;12M␛[35;10;100M") == "␛[32;10;9M␛[35;10;97M")
    var x10 = InputScene(offset: 3, mouse: .normal)
    #expect(x10.read("␛[M *.␛[M#*.x") == "␛[M *+␛[M#*+x")
    var utf8 = InputScene(offset: 3, mouse: .normal, encoding: .utf8)
    #expect(utf8.read("␛[M \u{100}\u{82}␛[M#\u{100}\u{110}x") == "␛[M \u{100}\u{7f}␛[M#\u{100}\u{10d}x")
    var pixels = InputScene(offset: 3, mouse: .any, encoding: .sgrPixels)
    pixels.context.cellHeight = 17
    #expect(pixels.read("␛[<0;100;52M␛[<0;100;60m") == "␛[<0;100;1M␛[<0;100;9m")
  }

  @Test func coordinatesOfTheOldEncodingMayBeAnyBytes() {
    var scene = InputScene(offset: 1, mouse: .normal)
    let report: [UInt8] = [0x1b, 0x5b, 0x4d, 0x20, 0xff, 0xc3, 0x78]
    let output = scene.output { scene, output in
      scene.rewriter.rewrite(report, scene.context, into: &output)
    }
    #expect(output == [0x1b, 0x5b, 0x4d, 0x20, 0xff, 0xc2, 0x78])
    // The column is too large for a byte: the terminal sends NUL, and so do we.
    #expect(scene.read("␛[M #\0") == "␛[M #\0")
  }

  @Test func aPressOnTheBannerIsConsumedWithItsDragAndRelease() {
    var scene = InputScene(offset: 2, mouse: .button, encoding: .sgr)
    #expect(scene.read("␛[<0;5;2M", "␛[<32;5;9M", "␛[<0;5;9m") == "")
    #expect(scene.read("␛[<0;5;9M") == "␛[<0;5;7M", "the next press is the program's")
    var old = InputScene(offset: 2, mouse: .button)
    #expect(old.read("␛[M !!", "␛[M@!)", "␛[M#!)") == "")
    #expect(old.read("␛[M !)") == "␛[M !'")
  }

  @Test func aPressThatBeganInTheProgramStaysWithIt() {
    var scene = InputScene(offset: 2, mouse: .button, encoding: .sgr)
    #expect(scene.read("␛[<0;5;3M␛[<32;5;2M␛[<32;5;1M␛[<0;5;1m") == "␛[<0;5;1M␛[<32;5;1M␛[<32;5;1M␛[<0;5;1m")
    #expect(scene.read("␛[<0;5;1M␛[<0;5;1m") == "", "the next press is on the banner")
    // Pressed before the banner came.
    var late = InputScene(offset: 0, mouse: .normal, encoding: .sgr)
    #expect(late.read("␛[<0;5;1M") == "␛[<0;5;1M")
    late.context.offset = 2
    #expect(late.read("␛[<0;5;1m") == "␛[<0;5;1m")
    // A second button while the first is the program's.
    #expect(scene.read("␛[<0;5;9M␛[<2;5;1M␛[<2;5;1m␛[<0;5;1m") == "␛[<0;5;7M␛[<2;5;1M␛[<2;5;1m␛[<0;5;1m")
  }

  @Test func aPressOnTheBannerIsItsOwnAlsoAfterItHasGone() {
    var scene = InputScene(offset: 1, mouse: .normal, encoding: .sgr)
    #expect(scene.read("␛[<0;5;1M") == "")
    scene.context.offset = 0
    #expect(scene.read("␛[<0;5;1m␛[<0;5;1M") == "␛[<0;5;1M")
  }

  @Test func wheelAndHoverOnTheBannerAreConsumed() {
    var scene = InputScene(offset: 1, mouse: .any, encoding: .sgr)
    #expect(scene.read("␛[<64;5;1M␛[<65;5;1M␛[<69;5;1M␛[<35;5;1M") == "")
    #expect(scene.read("␛[<64;5;2M␛[<65;5;2M␛[<35;5;2M") == "␛[<64;5;1M␛[<65;5;1M␛[<35;5;1M")
  }

  @Test func onlyPressesAreReportedInMode9() {
    var scene = InputScene(offset: 1, mouse: .press)
    #expect(scene.read("␛[M !!␛[M !\"␛[M !!") == "␛[M !!")
  }

  @Test func aReleaseThatWasNeverReportedIsForgotten() {
    var scene = InputScene(offset: 1, mouse: .normal, encoding: .sgr)
    #expect(scene.read("␛[<0;5;5M") == "␛[<0;5;4M")
    scene.context.mouseTracking = .off
    #expect(scene.read("x") == "x")
    scene.context.mouseTracking = .normal
    #expect(scene.read("␛[<0;5;1M␛[<0;5;1m") == "")
    // A mouse that moves without a button has none pressed.
    scene.context.mouseTracking = .any
    #expect(scene.read("␛[<0;5;5M␛[<35;5;5M␛[<0;5;1M") == "␛[<0;5;4M␛[<35;5;4M")
  }

  @Test func withoutTheHeightOfARowPixelsStay() {
    var scene = InputScene(offset: 1, mouse: .any, encoding: .sgrPixels)
    #expect(scene.read("␛[<0;100;5M␛[<0;100;5m") == "␛[<0;100;5M␛[<0;100;5m")
  }

  /// Without mouse reporting `CSI M` is a sequence like any other.
  @Test func nothingIsTakenForAReportThatIsNone() {
    var scene = InputScene(offset: 1)
    #expect(scene.read("␛[Mabc␛[1;2M␛[<0;1M␛[<0;1;2;3M␛[0;5;5M") == "␛[Mabc␛[1;2M␛[<0;1M␛[<0;1;2;3M␛[0;5;5M")
    scene = InputScene(offset: 1, mouse: .normal)
    #expect(scene.read("␛[M\u{1}abc␛[M\u{1b}[A") == "␛[M\u{1}abc␛[M␛[A")
  }

  /// Esc went to the program at once, so the report cannot be consumed: it is passed whole, in the first row.
  @Test func aReportTornBehindItsEscapeStaysAReport() {
    var scene = InputScene(offset: 2, mouse: .normal, encoding: .sgr)
    #expect(scene.read("␛") == "␛")
    #expect(scene.read("[<0;5;1M") == "[<0;5;1M")
    #expect(scene.read("␛[<0;5;1m") == "␛[<0;5;1m", "and so is its release")
    #expect(scene.read("␛", "[<0;5;9M") == "␛[<0;5;7M")
  }
}
