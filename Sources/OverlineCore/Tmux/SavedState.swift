/// The changes that our lines made in a server. They are stored in the server itself, so that the guardian, the next monitor or `overline
/// tmux detach` can undo them after a crash.
package struct SavedState: Equatable, Sendable {
  var global: StatusChange
  /// By session id, only for sessions with their own value of an option.
  var sessions: [String: StatusChange] = [:]
  /// By window id, `#{window_layout}`.
  var layouts: [String: String] = [:]

  /// The variable that stores it.
  package static let variableName = "OVERLINE_SAVED"

  init(global: StatusChange) { self.global = global }

  /// Base64 of fields. A field is its length in bytes, a colon and the bytes; `-` is nil; `=N;` repeats the N-th text, since long formats
  /// occur many times.
  package var encoded: String {
    var writer = FieldWriter()
    writer.write("1")
    writer.write(global)
    writer.write(sessions) { $0.write($1) }
    writer.write(layouts) { $0.write($1) }
    return Base64.encode(writer.bytes)
  }

  /// Nil for anything that this version did not write.
  package init?(encoded: String) {
    guard let bytes = Base64.decode(encoded) else { return nil }
    var reader = SavedFields(bytes)
    guard reader.text() == "1", let global = reader.change(),
      let sessions = reader.dictionary({ $0.change() }), let layouts = reader.dictionary({ $0.text() })
    else { return nil }
    self.global = global
    self.sessions = sessions
    self.layouts = layouts
  }
}

private struct FieldWriter {
  var bytes: [UInt8] = []
  private var known: [String: Int] = [:]

  mutating func write(_ text: String?) {
    guard let text else {
      bytes.append(UInt8(ascii: "-"))
      return
    }
    if let index = known[text] {
      bytes += Array("=\(index);".utf8)
    } else {
      known[text] = known.count
      bytes += Array("\(text.utf8.count):".utf8) + Array(text.utf8)
    }
  }

  mutating func write<Value>(_ dictionary: [String: Value], _ writeValue: (inout FieldWriter, Value) -> Void) {
    write(String(dictionary.count))
    for (key, value) in dictionary.sorted(by: { $0.key < $1.key }) {
      write(key)
      writeValue(&self, value)
    }
  }

  mutating func write(_ change: StatusChange) {
    for options in [change.original, change.reserved] {
      write(options.status)
      guard let format = options.format else {
        write(nil)
        continue
      }
      write(Dictionary(uniqueKeysWithValues: format.map { (String($0.key), $0.value) })) { $0.write($1) }
    }
  }
}

private struct SavedFields {
  private var rest: ArraySlice<UInt8>
  private var known: [String] = []
  private var isBroken = false

  init(_ bytes: [UInt8]) { rest = bytes[...] }

  /// The next field; nil for a nil field and after anything malformed.
  mutating func text() -> String? {
    guard let first = rest.first, first != UInt8(ascii: "-") else {
      isBroken = isBroken || rest.isEmpty
      rest = rest.dropFirst()
      return nil
    }
    let isReference = first == UInt8(ascii: "=")
    if isReference { rest = rest.dropFirst() }
    let digits = rest.prefix { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
    rest = rest.dropFirst(digits.count)
    guard let number = Int(String(decoding: digits, as: UTF8.self)),
      rest.popFirst() == UInt8(ascii: isReference ? ";" : ":"), number <= (isReference ? known.count - 1 : rest.count)
    else {
      isBroken = true
      rest = []
      return nil
    }
    if isReference { return known[number] }
    let text = String(decoding: rest.prefix(number), as: UTF8.self)
    rest = rest.dropFirst(number)
    known.append(text)
    return text
  }

  mutating func dictionary<Value>(_ value: (inout SavedFields) -> Value?) -> [String: Value]? {
    guard let text = text(), let count = Int(text), count >= 0 else { return nil }
    var result: [String: Value] = [:]
    for _ in 0..<count {
      guard let key = self.text(), let value = value(&self) else { return nil }
      result[key] = value
    }
    return result
  }

  mutating func change() -> StatusChange? {
    let original = options()
    let reserved = options()
    return isBroken ? nil : StatusChange(original: original, reserved: reserved)
  }

  private mutating func options() -> StatusOptions {
    let status = text()
    let entries = dictionary { $0.text() }
    return StatusOptions(
      status: status,
      format: entries.map {
        Dictionary($0.compactMap { key, value in Int(key).map { ($0, value) } }, uniquingKeysWith: { $1 })
      })
  }
}
