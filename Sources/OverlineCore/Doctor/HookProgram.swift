/// The program that a hook's command surely starts first.
package enum HookProgram {
  /// The first program of a line for `sh`, as `sh` would look it up; `~/` stays. Nil if only `sh` can tell: a word with an expansion, a
  /// function, or a command after which another one may take over (`||`).
  package static func first(in line: String) -> String? {
    if line.contains("||") { return nil }
    var rest = line[...]
    while true {
      rest = rest.drop { $0 == " " || $0 == "\t" }
      guard let word = takeWord(&rest), !word.isEmpty else { return nil }
      if let equals = word.firstIndex(of: "="), isName(word[..<equals]) {
        if word.hasPrefix("PATH=") { return nil }
        continue
      }
      if word == "exec" { continue }
      return rest.drop { $0 == " " || $0 == "\t" }.first == "(" ? nil : word
    }
  }

  private static func isName(_ text: Substring) -> Bool {
    !text.isEmpty && text.first?.isNumber == false && text.utf8.allSatisfy { isLiteral($0) && isNamePart($0) }
  }

  private static func isNamePart(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: "_") || (0x30...0x39).contains(byte) || (0x61...0x7a).contains(byte | 0x20)
  }

  /// A character that stands for itself in an unquoted word.
  private static func isLiteral(_ byte: UInt8) -> Bool {
    byte >= 0x80 || isNamePart(byte) || "./~+-:@%,=".utf8.contains(byte)
  }

  /// Nil for a word with an expansion.
  private static func takeWord(_ rest: inout Substring) -> String? {
    var word = ""
    while let character = rest.first, !" \t;&|<>()".contains(character) {
      rest.removeFirst()
      if character == "'" || character == "\"" {
        guard let end = rest.firstIndex(of: character) else { return nil }
        let text = rest[..<end]
        if character == "\"", text.contains(where: { "$`\\".contains($0) }) { return nil }
        word += text
        rest = rest[rest.index(after: end)...]
      } else {
        guard String(character).utf8.allSatisfy(isLiteral) else { return nil }
        word.append(character)
      }
    }
    return word
  }
}
