import NetworkPath
import OverlineTranscripts

/// The bytes of a recording from a user's report.
enum TranscriptTarget {
  static func run(_ bytes: [UInt8]) {
    guard let transcript = try? Transcript(parsing: bytes) else { return }
    let text = TranscriptText.header(transcript.options) + transcript.moments.map(TranscriptText.lines).joined()
    precondition(try! Transcript(parsing: Array(text.utf8)) == transcript)
    let replay = transcript.replay()
    precondition(transcript.replay() == replay)
    for path in replay.paths { precondition(!TranscriptText.path(path).utf8.contains { $0 < 0x20 }) }
  }
}
