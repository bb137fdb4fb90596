import Dispatch
import Foundation
import Overline
import OverlineCore
import OverlineTestThread
import Testing

@Suite(.ownThread) struct RequestTests {
  @Test(
    "the guide names each format, and each bar has a snippet",
    arguments: ObserverFormat.allCases)
  func formatIsDocumented(_ format: ObserverFormat) throws {
    let root = #filePath.split(separator: "/").dropLast(3).reduce("") { "\($0)/\($1)" }
    let text = try String(
      contentsOfFile: "\(root)/Sources/OverlineCLI/OverlineCLI.docc/Guide/BarsAndPrompts.md", encoding: .utf8)
    if !format.isBar { return #expect(text.contains("`\(format.rawValue)`")) }
    #expect(text.contains("--format \(format.rawValue)`") || text.contains("--format \(format.rawValue))`"))
    // These two have no configuration of their own.
    if format == .plain || format == .tmux { return }
    let snippets = try FileManager.default.contentsOfDirectory(atPath: "\(root)/config/bar")
    #expect(snippets.contains { $0.hasPrefix("\(format.rawValue).") })
  }

  private static let requests = [
    ObserverRequest.watch(), .watch(format: .env), .status(), .status(format: .env), .dismiss, .dismissClaim, .reload,
    .refresh, .metrics, .present(.init(title: "Deploying")),
    .present(.init(title: "VPN \"x\"", background: "#112233", text: "white", height: 2)),
    .tmuxAttach(socket: "/tmp/tmux-1/default"), .tmuxDetach(socket: "/s"), .tmuxStatus(socket: nil),
    .tmuxStatus(socket: "/s"),
  ]

  @Test(arguments: requests) func readsWhatItWrites(_ request: ObserverRequest) throws {
    #expect(try ObserverRequest(line: request.jsonLine.dropLast()) == request)
  }

  /// The name of the case `tmuxAttach` is `tmux-attach`.
  @Test("each request has its name, and is read in a test") func everyRequestIsRead() throws {
    let root = #filePath.split(separator: "/").dropLast(3).reduce("") { "\($0)/\($1)" }
    let file = "\(root)/Sources/OverlineCore/Protocol/ObserverRequest.swift"
    let lines = try String(contentsOfFile: file, encoding: .utf8).split(separator: "\n")
    let cases = lines.filter { $0.hasPrefix("  case ") }.map { $0.dropFirst(7).prefix(while: \.isLetter) }
    let names = cases.map { $0.reduce("") { $0 + ($1.isUppercase ? "-" : "") + $1.lowercased() } }
    #expect(Set(ObserverRequest.names).symmetricDifference(names).sorted() == [], "ObserverRequest.names")
    let read = try (Self.requests + OverlayRequestTests.requests).map {
      try JSONValue(parsing: $0.jsonLine.dropLast())["do"]?.string ?? ""
    }
    #expect(Set(names).symmetricDifference(read).sorted() == [], "add it to `requests` above")
  }

  @Test(arguments: [
    ("", ProtocolError.Code.badJSON), ("nonsense", .badJSON), ("{\"do\":\"status\"", .badJSON), ("[]", .badJSON),
    ("{\"do\":\"status\"} x", .badJSON), ("{}", .missingField), ("{\"do\":7}", .badField),
    ("{\"do\":\"presnt\"}", .unknownRequest), ("{\"do\":\"present\"}", .missingField),
    ("{\"do\":\"present\",\"title\":3}", .badField), ("{\"do\":\"present\",\"title\":\" \\u0007 \"}", .badField),
    ("{\"do\":\"present\",\"title\":\"x\",\"height\":9}", .badField),
    ("{\"do\":\"present\",\"title\":\"x\",\"height\":\"2\"}", .badField),
    ("{\"do\":\"watch\",\"format\":\"yaml\"}", .badField), ("{\"do\":\"tmux-attach\"}", .missingField),
    ("{\"do\":\"tmux-attach\",\"socket\":\"relative\"}", .badField),
  ])
  func eachMistakeHasItsCode(_ line: String, _ code: ProtocolError.Code) {
    let error = #expect(throws: ProtocolError.self) { try ObserverRequest(line: line.utf8) }
    #expect(error?.code == code, "\(error?.message ?? "")")
  }

  @Test func anUnknownRequestNamesTheKnownOnesAndTheNearest() {
    let error = #expect(throws: ProtocolError.self) { try ObserverRequest(line: #"{"do":"presnet\u001b"}"#.utf8) }
    let message = error?.message ?? ""
    #expect(message.contains("did you mean \"present\"?"))
    #expect(ObserverRequest.names.allSatisfy(message.contains))
    #expect(TerminalText.sanitized(message) == message)
  }

  @Test func aLineMayHave64KiBAndNoByteMore() throws {
    let frame = #"{"do":"dismiss","x":""}"#
    let fits = frame.replacing(
      #""x":"""#, with: #""x":""# + String(repeating: "y", count: 65536 - frame.utf8.count) + "\"")
    #expect(fits.utf8.count == 65536)
    #expect(try ObserverRequest(line: fits.utf8) == .dismiss)
    let error = #expect(throws: ProtocolError.self) { try ObserverRequest(line: (fits + " ").utf8) }
    #expect(error?.code == .lineTooLong)
  }

  @Test func titlesLoseTheirControlCharacters() throws {
    let request = try ObserverRequest(line: #"{"do":"present","title":"a\u001b[31m\nb"}"#.utf8)
    #expect(request == .present(.init(title: "a[31m b")))
  }
}

@Suite(.ownThread) struct ResponseTests {
  @Test func answersAreTheDocumentedOnes() throws {
    #expect(ObserverResponse.ok().json == "{\"ok\":true}")
    let failure = ObserverResponse(ProtocolError(.badField, "no \"x\""))
    #expect(failure.json == #"{"ok":false,"error":"no \"x\"","code":"bad-field"}"#)
    #expect(try ObserverResponse(line: failure.jsonLine) == failure)
    let data = ObserverResponse.ok(.object(["servers": .array([.string("/s")]), "n": .integer(2)]))
    #expect(data.json == #"{"ok":true,"data":{"n":2,"servers":["/s"]}}"#)
    #expect(try ObserverResponse(line: data.jsonLine) == data)
  }

  @Test func aStateIsNoAnswer() throws {
    #expect(try ObserverResponse(line: online().jsonLine) == nil)
  }

  @Test func theAnswerToStatusHoldsTheState() throws {
    guard case .ok(.some(let data)) = try ObserverResponse(line: ObserverResponse.statusLine(offline())) else {
      Issue.record("no data")
      return
    }
    #expect(try ObserverState(json: data) == offline())
  }
}

@Suite(.ownThread) struct JSONTests {
  /// However deep a request nests, the answer is an error, even on the small stack of a queue's thread.
  @Test(arguments: [400, 512, 513, 30000]) func depthIsBounded(_ depth: Int) {
    for (opening, closing) in [("[", "]"), (#"{"a":"#, "}")] {
      let deep = String(repeating: opening, count: depth) + "1" + String(repeating: closing, count: depth)
      let answered = DispatchSemaphore(value: 0)
      DispatchQueue.global().async {
        #expect(throws: ProtocolError.self) { try ObserverRequest(line: #"{"do":\#(deep)}"#.utf8) }
        answered.signal()
      }
      answered.wait()
    }
  }

  @Test func depthIsCountedOutsideOfStrings() throws {
    let brackets = String(repeating: "[", count: 40)
    #expect(try JSONValue(parsing: #"{"a":"\"\#(brackets)"}"#.utf8)["a"]?.string == "\"" + brackets)
    func nested(_ depth: Int) -> String {
      String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
    }
    #expect(throws: Never.self) { try JSONValue(parsing: "[\(nested(15)),\(nested(15))]".utf8) }
    #expect(throws: ProtocolError.self) { try JSONValue(parsing: nested(17).utf8) }
  }

  @Test func valuesSurvive() throws {
    let text = #"{"a":[1,2.5,"\u0001\u001f\"\\é😀",null,true],"b":{}}"#
    #expect(try JSONValue(parsing: text.utf8).json == text)
  }

  /// Characters that drive a terminal, or change how text reads, are escaped: only programs decode them.
  @Test func whatCouldDriveATerminalIsEscaped() throws {
    let text = "é\u{1b}[5m\u{7f}\u{9b}31m\u{61c}\u{202e}\u{2066}\u{2028}\u{feff}😀"
    let json = JSONValue.string(text).json
    #expect(json == #""é\u001b[5m\u007f\u009b31m\u061c\u202e\u2066\u2028\ufeff😀""#)
    #expect(try JSONValue(parsing: json.utf8) == .string(text))
  }

  /// Random bytes and broken copies of a state: a result or an error, never a crash.
  @Test func noInputCrashes() {
    var generator = SystemRandomNumberGenerator()
    let line = offline().jsonLine
    for _ in 0..<2000 {
      var broken = line
      for _ in 0..<Int.random(in: 1...4, using: &generator) {
        broken[Int.random(in: 0..<broken.count, using: &generator)] = UInt8.random(in: 0...255, using: &generator)
      }
      broken.removeLast(Int.random(in: 0..<broken.count, using: &generator))
      _ = try? ObserverState(jsonLine: broken)
      _ = try? ObserverRequest(line: broken)
    }
  }
}

@Suite(.ownThread) struct NearestTests {
  @Test func suggestsTheNearestWord() {
    #expect(TerminalText.suggestion(for: "titel", among: ["title", "text"]) == "; did you mean \"title\"?")
    #expect(TerminalText.suggestion(for: "Dismis", among: ObserverRequest.names) == "; did you mean \"dismiss\"?")
    #expect(TerminalText.suggestion(for: "zzz", among: ObserverRequest.names) == "")
    #expect(TerminalText.suggestion(for: "", among: []) == "")
  }
}

extension ObserverRequest {
  var json: String { String(decoding: jsonLine.dropLast(), as: UTF8.self) }
}

extension ObserverResponse {
  var json: String { String(decoding: jsonLine.dropLast(), as: UTF8.self) }
}
