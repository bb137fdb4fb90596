import Overline
@testable import OverlineCore
@testable import OverlineShell

/// A tmux server's answers, up to a zero byte; after it, the content of the option that saves the old settings.
enum TmuxTarget {
  static func run(_ bytes: [UInt8]) {
    let parts = bytes.split(separator: 0, maxSplits: 1, omittingEmptySubsequences: false)
    let answers = ServerReading.answers(String(decoding: parts[0], as: UTF8.self))
    let state = ServerReading.state(answers)
    for saved in [answers["saved"], parts.count > 1 ? Base64.encode(Array(parts[1])) : nil] {
      _ = state.commands(to: state.undoing(saved.flatMap(SavedState.init(encoded:))))
    }
    _ = TmuxOptions(values: answers)
    _ = TmuxVersion(answers["version"] ?? "")
    _ = ServerReading.lines(answers["clients"])
    _ = TmuxError(attempt: "talk", errors: String(decoding: parts[0], as: UTF8.self))
    isTold(bytes)
    for added in [[StatusLine.banner], [.toast], [.toast, .banner]] { isUndone(state, added) }
  }

  /// The changes for the lines are saved completely, and undoing them restores the state.
  private static func isUndone(_ state: ServerState, _ added: [StatusLine]) {
    // Our own line is not part of the saved settings.
    let before = state.undoing(nil)
    let reserved = before.reserved(added)
    let saved = before.saving(reserved)
    precondition(SavedState(encoded: saved.encoded) == saved)
    precondition(reserved.undoing(saved) == before)
    _ = before.commands(to: reserved)
  }

  /// The bytes as messages that a guardian reads from its pipe.
  private static func isTold(_ bytes: [UInt8]) {
    var rest = bytes
    for message in GuardianMessage.parse(from: &rest) {
      var written = message.bytes
      precondition(GuardianMessage.parse(from: &written) == [message] && written.isEmpty)
    }
    precondition(!rest.contains(0))
  }
}
