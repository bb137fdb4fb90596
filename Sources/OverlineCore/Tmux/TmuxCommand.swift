/// Command lines as tmux's own parser reads them (tmux(1), COMMAND PARSING AND EXECUTION).
package enum TmuxCommand {
  /// One line that runs one command with exactly these arguments.
  package static func line(_ words: [String]) -> String {
    words.map(quoted).joined(separator: " ")
  }

  /// Quotes an argument. Between single quotes no character is special, not even `$`, `~`, `;`, `#`, `%if` or a backslash. Single quotes
  /// and line ends are written between double quotes.
  static func quoted(_ argument: String) -> String {
    var result: [UInt8] = [UInt8(ascii: "'")]
    for byte in argument.utf8 {
      switch byte {
      case UInt8(ascii: "'"): result += "'\"'\"'".utf8
      case UInt8(ascii: "\n"): result += "'\"\\n\"'".utf8
      case 0: continue  // no C string can hold it
      default: result.append(byte)
      }
    }
    result.append(UInt8(ascii: "'"))
    return String(decoding: result, as: UTF8.self)
  }

  package static func setVariable(_ name: String, _ value: String) -> String {
    line(["set-environment", "-gh", name, value])
  }

  package static func removeVariable(_ name: String) -> String {
    line(["set-environment", "-gu", name])
  }

  /// `-S` redraws only the status lines. `-t` names the client, since tmux would choose one otherwise.
  package static func refresh(_ client: String) -> String {
    line(["refresh-client", "-S", "-t", client])
  }
}
