import Overline
import OverlineCore
@testable import OverlineShell
import OverlineTestThread
import Testing

private func error(_ line: String) -> ProtocolError? {
  do {
    _ = try ObserverRequest(line: line.utf8)
    return nil
  } catch {
    return error
  }
}

@Suite(.ownThread) struct OverlayRequestTests {
  static let requests = [
    ObserverRequest.toast(.init(title: "Saved")),
    .toast(
      .init(
        title: "Connection \"failed\"", message: "Check it", style: .error, duration: .milliseconds(4500),
        edge: .bottom,
        key: "net", level: .alert + 7, owner: OverlayOwner(process: 17, isConnection: true), tmux: "/tmp/tmux-1/x")),
    .toast(.init(title: "Sticky", duration: .zero)), .dismissToast(.id(ToastID(rawValue: 3))),
    .dismissToast(.key("net")), .dismissToast(.front(tmux: nil)), .dismissToast(.front(tmux: "/tmp/tmux-1/x")),
    .alert(Alert(title: "Deploy?", buttons: ["Deploy"])),
    .alert(Alert(title: "Deploy?", message: "To production", buttons: (1...8).map { "Button \($0)" })),
    .present(.init(title: "x", owner: OverlayOwner(process: 1))),
  ]

  @Test(arguments: requests) func readsWhatItWrites(_ request: ObserverRequest) throws {
    #expect(try ObserverRequest(line: request.jsonLine.dropLast()) == request)
  }

  /// From a program that is newer than the window.
  @Test func unknownFieldsAreIgnored() throws {
    let line = #"{"do":"toast","title":"x","colour":"red","nested":{"title":["y"]},"v":2}"#
    #expect(try ObserverRequest(line: line.utf8) == .toast(.init(title: "x")))
  }

  @Test func theWindowSuppliesMissingValues() throws {
    guard case .toast(let toast) = try ObserverRequest(line: #"{"do":"toast","title":"x"}"#.utf8) else {
      throw CancellationError()
    }
    let content = toast.content(duration: .seconds(9), edge: .bottom)
    #expect(content == ToastContent(title: "x", duration: .seconds(9), edge: .bottom))
    #expect(toast.content(duration: nil, edge: .top).duration == nil)
  }

  @Test(arguments: [
    ("0", Duration.zero), ("null", .zero), ("2.5", .milliseconds(2500)), ("1e-9", .milliseconds(1)),
    ("2.007", .milliseconds(2007)),
  ])
  func durationsAreSeconds(_ text: String, _ duration: Duration) throws {
    let request = try ObserverRequest(line: #"{"do":"toast","title":"x","duration":\#(text)}"#.utf8)
    #expect(request == .toast(.init(title: "x", duration: duration)))
  }

  private static let durations =
    "it must be a number of seconds from 0 to 31536000, and 0 or null means without end"

  @Test(arguments: [
    (#""title":" \t""#, #""title" is empty; it must contain visible text"#),
    (#""title":"\u001b\u202e\u0000""#, #""title" is empty; it must contain visible text"#),
    (#""title":"\u200b\u200d""#, #""title" is empty; it must contain visible text"#),
    (#""title":null"#, #""title" is null; it must be a string"#),
    (#""title":"x","message":7"#, #""message" is a number; it must be a string"#),
    (
      #""title":"x","style":"eror""#,
      #""style" is "eror"; did you mean "error"? (known: info, success, warning, error)"#
    ),
    (#""title":"x","edge":"botom""#, #""edge" is "botom"; did you mean "bottom"? (known: top, bottom)"#),
    (#""title":"x","edge":"left\u001b""#, #""edge" is "left" (known: top, bottom)"#),
    (#""title":"x","duration":-1"#, #""duration" is -1; \#(durations)"#),
    (#""title":"x","duration":-0.001"#, #""duration" is -0.001; \#(durations)"#),
    (#""title":"x","duration":1e300"#, #""duration" is 1e+300; \#(durations)"#),
    (#""title":"x","duration":9223372036854775807"#, #""duration" is 9223372036854775807; \#(durations)"#),
    (#""title":"x","duration":"3""#, #""duration" is a string; \#(durations)"#),
    (#""title":"x","key":"""#, #""key" has 0 characters; it must have 1 to 200"#),
    (#""title":"x","level":-1"#, #""level" is -1; it must be an integer from 0 to 1000000"#),
    (#""title":"x","while":0"#, #""while" is 0; it must be an integer from 1 to 2147483647"#),
    (#""title":"x","while":2147483648"#, #""while" is 2147483648; it must be an integer from 1 to 2147483647"#),
    (#""title":"x","owned":"yes""#, #""owned" is a string; it must be true or false"#),
    (#""title":"x","tmux":"default""#, #""tmux" must be an absolute path"#),
  ])
  func eachMistakeInAToastNamesItsFieldAndWhatIsAllowed(_ fields: String, _ message: String) {
    #expect(error(#"{"do":"toast",\#(fields)}"#) == ProtocolError(.badField, message))
  }

  /// Neither is JSON; a number out of Double's range is rejected, not guessed.
  @Test(arguments: ["NaN", "Infinity", "1e999", "-"]) func whatIsNoNumberIsNoJSON(_ number: String) {
    #expect(error(#"{"do":"toast","title":"x","duration":\#(number)}"#)?.code == .badJSON)
  }

  @Test func invalidUTF8IsNoJSON() {
    let line = Array(#"{"do":"toast","title":""#.utf8) + [0xff, 0xc3, 0x28] + Array(#""}"#.utf8)
    #expect(throws: ProtocolError.self) { try ObserverRequest(line: line) }
  }

  @Test(arguments: [
    ("[]", #""buttons" has 0 entries; it must have 1 to 8"#),
    (#"["1","2","3","4","5","6","7","8","9"]"#, #""buttons" has 9 entries; it must have 1 to 8"#),
    (#"["Yes"," \n"]"#, #""buttons[1]" is empty; it must contain visible text"#),
    (#"["Yes","No","Yes\u0007"]"#, #""buttons[2]" is "Yes" again; each button needs its own text"#),
    (#"["Yes",2]"#, #""buttons[1]" is a number; it must be a string"#),
    (#""Yes""#, #""buttons" is a string; it must be an array"#),
  ])
  func eachMistakeInButtonsNamesItsPlace(_ buttons: String, _ message: String) {
    #expect(error(#"{"do":"alert","title":"x","buttons":\#(buttons)}"#) == ProtocolError(.badField, message))
  }

  @Test func anAlertNeedsButtonsAndADismissalNoName() throws {
    #expect(error(#"{"do":"alert","title":"x"}"#)?.code == .missingField)
    #expect(try ObserverRequest(line: #"{"do":"dismiss-toast"}"#.utf8) == .dismissToast(.front(tmux: nil)))
    #expect(error(#"{"do":"dismiss-toast","tmux":"default"}"#)?.code == .badField)
  }

  private static let hostile = [
    "\\u001b]0;x\\u0007\\u001b[2J", "#(touch x)\\u009b31m", "\\u202eevil\\u2066", "a\\u0000b\\r\\nc", "\\ufeff\\ufff9",
  ]

  @Test(arguments: hostile) func nothingInATextDrivesATerminal(_ text: String) throws {
    let line =
      #"{"do":"toast","title":"t\#(text)","message":"\#(text)"}"#
    guard case .toast(let toast) = try ObserverRequest(line: line.utf8) else { throw CancellationError() }
    let alert = try ObserverRequest(line: #"{"do":"alert","title":"t\#(text)","buttons":["b\#(text)"]}"#.utf8)
    guard case .alert(let alert) = alert else { throw CancellationError() }
    for text in [toast.title, toast.message, alert.title] + alert.buttons {
      #expect(TerminalText.firstUnsafe(in: text) == nil)
    }
  }

  /// Wide letters, and one letter with thousands of marks: neither exceeds what a window can show.
  @Test(arguments: ["x", "漢", "👩‍👩‍👧‍👦", "e\u{301}"]) func aTextOf64KiBIsCut(_ unit: String) throws {
    let long = String(repeating: unit, count: 60_000 / unit.utf8.count)
    let line = #"{"do":"toast","title":"\#(long)"}"#
    guard case .toast(let toast) = try ObserverRequest(line: line.utf8) else { throw CancellationError() }
    #expect(toast.title.unicodeScalars.count <= 200)
    #expect(toast.title.hasSuffix("…"))
    #expect(long.hasPrefix(toast.title.dropLast()))
    // No letter is cut.
    #expect(toast.title.dropLast().allSatisfy { String($0) == unit })
    let message = #"{"do":"toast","title":"x","message":"\#(long)"}"#
    guard case .toast(let toast) = try ObserverRequest(line: message.utf8) else { throw CancellationError() }
    #expect(toast.message.unicodeScalars.count <= 1000 && toast.message.unicodeScalars.count > 900)
  }

  @Test func aLetterOfThousandsOfMarksIsNotShown() throws {
    let line = "{\"do\":\"toast\",\"title\":\"ab" + String(repeating: "\u{301}", count: 30_000) + "\"}"
    #expect(try ObserverRequest(line: line.utf8) == .toast(.init(title: "a…")))
  }

  /// Two long keys could become one.
  @Test func aKeyIsNotCut() {
    let key = String(repeating: "k", count: 201)
    #expect(
      error(#"{"do":"toast","title":"x","key":"\#(key)"}"#)?.message
        == #""key" has 201 characters; it must have 1 to 200"#)
  }
}

@Suite(.ownThread) struct RequestAllowanceTests {
  private func granted(_ allowance: inout RequestAllowance, _ count: Int, at now: Duration) -> Int {
    (0..<count).count { _ in (try? allowance.consume(at: now)) != nil }
  }

  @Test func aBurstAndThenSoManyASecond() {
    var rate = RequestAllowance.Rate()
    rate.burst = 10
    rate.perSecond = 4
    var allowance = RequestAllowance(rate)
    let start = Duration.seconds(1000)
    #expect(granted(&allowance, 300, at: start) == 10)
    // A refused request costs nothing.
    #expect(granted(&allowance, 300, at: start + .milliseconds(249)) == 0)
    #expect(granted(&allowance, 300, at: start + .milliseconds(250)) == 1)
    #expect(granted(&allowance, 300, at: start + .seconds(2)) == 7)
    #expect(granted(&allowance, 300, at: start + .seconds(86_400)) == 10)
  }

  @Test func aClientWithinTheRateIsNeverRefused() {
    var allowance = RequestAllowance()
    for step in 0..<10_000 { #expect(granted(&allowance, 1, at: .milliseconds(20 * step)) == 1) }
  }

  @Test func theErrorSaysSoAndWhenItIsOver() {
    var allowance = RequestAllowance()
    #expect(granted(&allowance, 300, at: .zero) == 100)
    let error = #expect(throws: ProtocolError.self) { try allowance.consume(at: .milliseconds(10)) }
    #expect(error?.code.rawValue == "too-many")
    #expect(
      error?.message
        == "too many requests on one connection; this one was ignored: allowed are 100 at once and then 50 a second; the next one in 11 ms"
    )
  }
}
