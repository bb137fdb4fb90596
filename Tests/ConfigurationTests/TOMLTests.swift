import OverlineTestThread
import Testing
@testable import OverlineCore

/// TOML 1.0.0 (https://toml.io/en/v1.0.0), all of which users may write.
@Suite(.ownThread) struct TOMLTests {
  /// The document as text, with its keys in order: `a.b=1`.
  private static func text(_ document: TOMLDocument, _ table: TOMLDocument.TableID = TOMLDocument.root) -> String {
    let members = document.tables[table].members.sorted { $0.key < $1.key }
    return members.map { "\($0.key)=\(text(document, $0.value.value))" }.joined(separator: " ")
  }

  private static func text(_ document: TOMLDocument, _ value: TOMLValue) -> String {
    switch value {
    case .string(let text): "\"\(text)\""
    case .integer(let integer): "\(integer)"
    case .float(let float): "\(float)"
    case .boolean(let boolean): "\(boolean)"
    case .dateOrTime: "time"
    case .array(let elements): "[\(elements.map { text(document, $0.value) }.joined(separator: ","))]"
    case .table(let table): "{\(text(document, table))}"
    case .tables(let last): "[…{\(text(document, last))}]"
    }
  }

  private static func read(_ text: String) throws -> String { Self.text(try TOMLReader.read(text)) }

  @Test(arguments: [
    ("", ""), ("# only a comment", ""), (" \t\r\n\n", ""),
    // Keys
    ("a=1", "a=1"), ("a-b_C9 = 1", "a-b_C9=1"), ("1 = 1\n-1.2 = 3", "-1={2=3} 1=1"), ("\"\" = 1", "=1"),
    ("'a b'.\"c\\u00e9\" . d = 1", "a b={cé={d=1}}"), ("3.14 = 1", "3={14=1}"), ("true = 1", "true=1"),
    ("a.b = 1\na.c = 2", "a={b=1 c=2}"), ("a.b.c = 1\na.d = 2", "a={b={c=1} d=2}"),
    // Strings
    ("a = ''", "a=\"\""), ("a = '\\n'", "a=\"\\n\""), ("a = \"\\b\\t\\n\\f\\r\\\"\\\\\"", "a=\"\u{8}\t\n\u{c}\r\"\\\""),
    ("a = \"\\u00E9\\U0001F6A7\"", "a=\"é🚧\""), ("a = \"# no comment\" # one", "a=\"# no comment\""),
    ("a = \"\"\"\nx\r\n\ty\"\"\"", "a=\"x\n\ty\""), ("a = \"\"\"\"\"\"", "a=\"\""),
    ("a = \"\"\"x\\\n  \n \ty\"\"\"", "a=\"xy\""), ("a = \"\"\"x\\  \r\n\"\"\"", "a=\"x\""),
    ("a = \"\"\"x\"\"\"\"", "a=\"x\"\""), ("a = \"\"\"\"\"x\"\"\"\"\"", "a=\"\"\"x\"\"\""),
    ("a = '''it's'''", "a=\"it's\""),
    ("a = '''\n\\\n'''''", "a=\"\\\n''\""), ("a = \"\"\" \\\"\"\" \"\"\"", "a=\" \"\"\" \""),
    // Numbers
    ("a = [0, +99, -17, 1_000, 0xDEAD_beef, 0o755, 0b1101, -0]", "a=[0,99,-17,1000,3735928559,493,13,0]"),
    ("a = 9223372036854775807\nb = -9223372036854775808", "a=9223372036854775807 b=-9223372036854775808"),
    (
      "a = [+1.0, -0.5, 5e+22, 1e0_6, -2E-2, 224_617.5, 6.626e-34]",
      "a=[1.0,-0.5,5e+22,1000000.0,-0.02,224617.5,6.626e-34]"
    ),
    ("a = [inf, +inf, -inf, nan, +nan, -nan]", "a=[inf,inf,-inf,nan,nan,-nan]"),
    ("a = true\nb=false", "a=true b=false"),
    // Dates and times
    (
      "a = [1979-05-27T07:32:00Z, 1979-05-27T00:32:00.999999-07:00, 1979-05-27 07:32:00z, 1979-05-27t07:32:00]",
      "a=[time,time,time,time]"
    ), ("a = [1979-05-27, 07:32:00, 00:32:60.9, 2024-02-29]", "a=[time,time,time,time]"),
    ("a = 1979-05-27 # 7", "a=time"),
    // Arrays
    ("a = []", "a=[]"), ("a = [ # ]\n\n 1 # one\n , 'x', # ,\n]", "a=[1,\"x\"]"),
    ("a = [[1, 2,], [\"a\"]]", "a=[[1,2],[\"a\"]]"),
    ("a = [{b = 1}, {}]", "a=[{b=1},{}]"),
    // Inline tables
    ("a = {}", "a={}"), ("a = { b = 1, 'c'.d = [\n1,\n2] }", "a={b=1 c={d=[1,2]}}"),
    ("a={b.c=1,b.d=2}", "a={b={c=1 d=2}}"),
    // Tables
    ("[a]\nb = 1\n[ c . \"d\" ]\ne = 2 \n", "a={b=1} c={d={e=2}}"), ("[a.b]\n[a]\nc = 1", "a={b={} c=1}"),
    ("[a.b.c]\nd = 1\n[a]\nb.e = 2", "a={b={c={d=1} e=2}}"), ("a.b = 1\n[a.c]\nd = 1", "a={b=1 c={d=1}}"),
    ("[[a]]\nb = 1\n[[ a ]]\n[a.c]\nd = 2", "a=[…{c={d=2}}]"),
    ("[[a.b]]\n[[a.b]]\nc.d = 1\n[a]\ne = 1", "a={b=[…{c={d=1}}] e=1}"),
    ("[[a]]\n[[a.b]]\n[[a]]\n[[a.b]]\n[a.b.c]", "a=[…{b=[…{c={}}]}]"),
  ])
  func whatIsValidIsRead(_ document: String, _ meaning: String) throws {
    #expect(try Self.read(document) == meaning)
    // With the line endings and byte order mark of editors on other systems.
    #expect(try Self.read("\u{feff}" + document.replacing("\r\n", with: "\n").replacing("\n", with: "\r\n")) == meaning)
  }

  private static let number = "is not a number, a date or a time; a text has quotes around it"

  @Test(arguments: [
    // Keys and lines
    ("= 1", "1:1", "a key is expected here, not \"=\""), ("a", "1:2", "\"=\" is expected, but the file ends"),
    ("a\n= 1", "1:2", "\"=\" is expected, but the line ends"), ("a =", "1:4", "a value is expected, but the file ends"),
    ("a b = 1", "1:3", "\"=\" is expected here, not \"b\""), ("a. = 1", "1:4", "a key is expected here, not \"=\""),
    (".a = 1", "1:1", "a key is expected here, not \".\""), ("a..b = 1", "1:3", "a key is expected here, not \".\""),
    ("grüße = 1", "1:3", "\"ü\" needs quotes in a key"),
    ("a = 1 b = 2", "1:7", "the end of the line is expected here, not \"b\""),
    ("\"\"\"a\"\"\" = 1", "1:1", "a key of one line is expected here, not '\"'"),
    ("'''a''' = 1", "1:1", "a key of one line"),
    ("[a]]", "1:4", "the end of the line is expected here, not \"]\""), ("[a] b = 1", "1:5", "the end of the line"),
    ("a = 1\r b = 2", "1:6", "the end of the line is expected here, not U+000D"), ("a = 1\n\r", "2:1", "not U+000D"),
    ("[", "1:2", "the name of a table is expected, but the file ends"),
    ("[.]", "1:2", "the name of a table is expected"),
    ("[a", "1:3", "\"]\" is expected, but the file ends"), ("[[a]\n", "1:5", "\"]\" is expected, but the line ends"),
    ("[a.]", "1:4", "the name of a table is expected"),
    ("[]", "1:2", "the name of a table is expected here, not \"]\""),
    // Strings
    ("a = \"x", "1:5", "the text has no closing \""), ("a = 'x\n'", "1:5", "the text has no closing '"),
    ("\na = \"\"\"x\"\"", "2:5", "the text has no closing \"\"\""),
    ("a = \"\\q\"", "1:6", "the backslash begins no escape; allowed are \\b"),
    ("a = \"\"\"\\ x\"\"\"", "1:8", "the backslash begins no escape"),
    ("a = \"\\x41\"", "1:6", "the backslash begins no escape"),
    ("a = \"\"\"\\q  \n\"\"\"", "1:8", "the backslash begins no escape"),
    ("a = \"\\u12\"", "1:6", "the escape has fewer than 4 hexadecimal digits"),
    ("a = \"\\U0000004\"", "1:6", "fewer than 8"),
    ("a = \"\\ud800\"", "1:6", "the escape is no Unicode character"),
    ("a = \"\\Uffffffff\"", "1:6", "no Unicode character"),
    ("a = \"ä\u{1}\"", "1:7", "here is the control character U+0001; allowed is only the tab"),
    ("a = '\u{7f}'", "1:6", "U+007F"),
    ("# \u{0}", "1:3", "the control character U+0000"), ("# \r", "1:3", "U+000D"), ("a = '''\r'''", "1:8", "U+000D"),
    ("a = \"\"\"\"\"\"\"\"\"", "1:13", "the end of the line is expected here, not '\"'"),
    // Numbers and words
    ("a = off", "1:5", "\"off\" is not a value; a text has quotes around it"),
    ("a = True", "1:5", "\"True\" is not a value"),
    ("a = 01", "1:5", "\"01\" \(number)"), ("a = 1__0", "1:5", number), ("a = 1_", "1:5", number),
    ("a = 0x", "1:5", number),
    ("a = _1", "1:5", "\"_1\" is not a value"), ("a = +0x1", "1:5", number), ("a = 0XFF", "1:5", number),
    ("a = 1.", "1:5", number),
    ("a = .5", "1:5", "\".5\" is not a value"), ("a = 1.e1", "1:5", number), ("a = 1e", "1:5", number),
    ("a = 1e1.5", "1:5", number),
    ("a = --1", "1:5", number), ("a = 0b12", "1:5", number), ("a = 5s", "1:5", "\"5s\" \(number)"),
    ("a = 03.14", "1:5", number),
    ("a = 1 2", "1:7", "the end of the line"), ("a = １", "1:5", "a value is expected here, not \"１\""),
    ("a = 9223372036854775808", "1:5", "the integer does not fit into 64 bits"),
    ("a = 0x8000000000000000", "1:5", "64 bits"),
    ("a = 1979-05-27T", "1:5", number), ("a = 1979-05-27T.7", "1:5", number), ("a = 1979-5-27", "1:5", number),
    ("a = 1979-02-29", "1:5", number), ("a = 1900-02-29", "1:5", number), ("a = 1979-13-01", "1:5", number),
    ("a = 1979-00-01", "1:5", number), ("a = 1979-04-31", "1:5", number), ("a = 24:00:00", "1:5", number),
    ("a = 07:60:00", "1:5", number), ("a = 07:32", "1:5", number), ("a = 7:32:00", "1:5", number),
    ("a = 07:32:00.", "1:5", number),
    ("a = 1979-05-27T07:32:00+", "1:5", number), ("a = 1979-05-27T07:32:00+24:00", "1:5", number),
    ("a = 1979-05-27  07:32:00", "1:17", "the end of the line"),
    // Arrays and inline tables
    ("a = [1 2]", "1:8", "\",\" or \"]\" is expected here, not \"2\""),
    ("a = [1", "1:7", "\",\" or \"]\" is expected, but the file ends"),
    ("a = [,]", "1:6", "a value is expected here, not \",\""), ("a = [1,,]", "1:8", "a value"),
    ("a = [}", "1:6", "a value is expected here, not \"}\""),
    ("a = [1, }", "1:9", "a value is expected here, not \"}\""),
    ("a = { b = 1", "1:12", "\",\" or \"}\" in the same line is expected, but the file ends"),
    ("a = {\nb = 1 }", "1:6", "a key is expected, but the line ends"),
    ("a = { b = 1,\nc = 2 }", "1:13", "a key is expected, but the line ends"),
    ("a = { b = 1, }", "1:14", "a key is expected here, not \"}\""),
    ("a = { b }", "1:9", "\"=\" is expected here, not \"}\""), ("a = {,}", "1:6", "a key"),
    ("a = { b = 1 # c\n}", "1:13", "in the same line"),
    // Twice
    ("a = 1\na = 2", "2:1", "\"a\" is defined already, in line 1; allowed is once"),
    ("a = 1\n'a' = 2", "2:1", "\"a\" is defined already"),
    ("[a]\n[b]\n[a]", "3:2", "\"a\" is defined already, in line 1"), ("a = 1\n[a]", "2:2", "\"a\" is defined already"),
    ("a = 1\na.b = 2", "2:1", "\"a\" is defined"), ("a.b = 1\na.b.c = 2", "2:3", "\"b\" is defined already"),
    ("a.b.c = 1\na.b = 2", "2:3", "\"b\" is defined"), ("a = {b = 1}\na.c = 2", "2:1", "\"a\" is defined"),
    ("a = {b = 1}\n[a.c]", "2:2", "\"a\" is defined"), ("a = {b = 1}\n[a]", "2:2", "\"a\" is defined"),
    ("a = {b.c = 1}\na.b.d = 2", "2:1", "\"a\""),
    ("a = {b = 1, b = 2}", "1:13", "\"b\" is defined"), ("a = {b = {c = 1}, b.d = 2}", "1:19", "\"b\""),
    ("a.b = 1\n[a]", "2:2", "\"a\" is defined"), ("[a]\nb.c = 1\n[a.b]", "3:4", "\"b\" is defined already, in line 2"),
    ("[a.b.c]\nd = 1\n[a]\nb.c.e = 2", "4:3", "\"c\" is defined"), ("[a.b]\n[a]\nb.c = 1", "3:1", "\"b\""),
    ("[a.b.c]\n[a]\nb.d = 1\n[a.b]", "4:4", "\"b\""),
    ("[a.b]\n[a]\nb = 1", "3:1", "\"b\""), ("[a]\nb = 1\n[a.b]", "3:4", "\"b\""),
    ("[a]\nb = 1\n[a.b.c]", "3:4", "\"b\""),
    ("a = []\n[[a]]", "2:3", "\"a\""), ("a = [{}]\n[a.b]", "2:2", "\"a\""), ("[a]\n[[a]]", "2:3", "\"a\""),
    ("[a.b]\n[[a]]", "2:3", "\"a\""),
    ("[[a]]\n[a]", "2:2", "\"a\""), ("[[a.b]]\n[a]\nb.c = 1", "3:1", "\"b\""), ("[[a]]\n[a.b]\n[a.b]", "3:4", "\"b\""),
    ("[[a.b]]\n[[a]]", "2:3", "\"a\""), ("[[a]]\n[a.b]\n[[a.b]]", "3:5", "\"b\""),
  ])
  func whatIsInvalidIsAnErrorAtItsPlace(_ document: String, _ place: String, _ message: String) throws {
    let error = try #require(throws: TOMLError.self) { try TOMLReader.read(document) }
    #expect("\(error.position.line):\(error.position.column)" == place, "\(error.message)")
    #expect(error.message.contains(message), "\(error.message)")
    let said = diagnostics(document)
    #expect(said.count == 1 && said.allSatisfy { !$0.unicodeScalars.contains { $0.value < 0x20 } })
  }

  /// Unbounded recursion would end the process.
  @Test(arguments: [
    ("a = ", "[", "", "1:69"), ("a = ", "{a=", "", "1:197"), ("", "a.", "a = 1", "1:129"), ("[", "a.", "a]", "1:130"),
    ("a = ", "[{a.a.a=", "", "1:133"),
  ])
  func depthIsBounded(_ start: String, _ part: String, _ end: String, _ place: String) throws {
    let document = start + String(repeating: part, count: 100_000) + end
    let error = #expect(throws: TOMLError.self) { try TOMLReader.read(document) }
    #expect(error?.message == "tables and arrays are nested more than 64 deep")
    #expect(error.map { "\($0.position.line):\($0.position.column)" } == place)
  }

  @Test func anythingIsReadOrAnError() {
    var generator = SystemRandomNumberGenerator()
    let letters = Array("ab.=\"'[]{},#\n\r\\ \t1-:_e+\u{0}ü")
    for _ in 0..<20_000 {
      let length = Int.random(in: 0...40, using: &generator)
      let text = String((0..<length).map { _ in letters.randomElement(using: &generator)! })
      _ = Configuration.parse(text, path: "c")
    }
  }
}
