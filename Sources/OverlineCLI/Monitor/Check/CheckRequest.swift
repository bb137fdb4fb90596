internal import OverlineConfiguration
internal import Dispatch
internal import OverlineMonitor
internal import OverlineSystem

/// One question to the internet: curl(1) as a process of its own, which follows no redirect and reads no file of the user's.
///
/// A process and not a library: names are resolved anew each time, by the nameservers of this moment; nothing of TLS is in the monitor,
/// in its memory or its updates; and what hangs can be killed. Used on the monitor's queue only.
final class CheckRequest: @unchecked Sendable {
  private let pid: Int32
  private let pipe: SharedPipe
  private let completion: (CheckVerdict) -> Void
  private var answer: CheckAnswer
  private var verdict: CheckVerdict?
  private var source: ReadSource?
  private var end: ProcessWatch?
  private var isOver = false
  /// curl's exit code, where it did not ask for a reason of its own.
  private(set) var refusal: Int32?

  /// Throws when curl cannot be started, ``SystemError/isNoSuchFile`` when there is none.
  ///
  /// - Parameter completion: called on `queue`, once, after this returned.
  init(
    _ settings: CheckSettings, queue: DispatchQueue, completion: @escaping (CheckVerdict) -> Void
  ) throws(SystemError) {
    pipe = try SharedPipe()
    pid = try Subprocess.spawn(
      "curl", Self.arguments(settings), newSession: true, descriptors: [(pipe.ends.writing.rawValue, 1)])
    self.completion = completion
    answer = CheckAnswer(expecting: settings)
    // Both hold this object, and it lets go of both at its end: a child is waited for whatever becomes of the check.
    source = ReadSource(descriptor: pipe.ends.reading.rawValue, keeping: pipe, queue: queue) { self.read() }
    do {
      end = try ProcessWatch.ofChild(pid, queue: queue) { self.ended() }
    } catch {
      source = nil
      throw error
    }
  }

  private static func arguments(_ settings: CheckSettings) -> [String] {
    // The check itself kills what takes too long. A second more, for a monitor that was killed before.
    let seconds = (settings.timeout + .seconds(1)).components.seconds
    return [
      // First, or ~/.curlrc counts.
      "--disable",
      "--silent", "--include", "--suppress-connect-headers", "--no-buffer", "--globoff",
      "--proto", "=http,https", "--max-redirs", "0", "--max-time", String(seconds), "--url", settings.url.text,
    ]
  }

  /// Nobody is told of the answer any more.
  func cancel() {
    if verdict == nil { verdict = .notAsked }
    kill()
  }

  /// Ends curl and what it started: a `curl` that is a script has children of its own. The request leads a process group.
  private func kill() {
    if !isOver { Signal.kill.send(to: -pid) }
  }

  private func read() {
    while source != nil, let bytes = try? pipe.ends.reading.read(atMost: 16 * 1024) {
      if let verdict = answer.take(bytes) { return conclude(verdict) }
    }
  }

  /// What further comes changes nothing.
  private func conclude(_ new: CheckVerdict) {
    source = nil
    kill()
    guard verdict == nil else { return }
    verdict = new
    completion(new)
  }

  private func ended() {
    guard !isOver else { return }
    // Before it is waited for, while the number of its group cannot be another's.
    kill()
    // What it printed before it ended may not have been read yet.
    read()
    let status = Subprocess.wait(for: pid)
    isOver = true
    conclude(judge(status))
    end = nil
  }

  /// What curl's exit code means (curl(1), EXIT CODES).
  private func judge(_ status: Int32) -> CheckVerdict {
    switch status {
    case 0: answer.end()
    case 6: .failed(.unresolved)
    case 7: .failed(.notConnected)
    case 1, 8: .failed(.notHTTP)
    case 28: .failed(.late)
    case 35, 51, 60: .failed(.untrusted)
    // 127: it was there and could not be run. 2 and 4 are a curl that does not know what it is asked, 3 is a URL that it does not take,
    // 27 is memory, and the others are certificates that it cannot read.
    case 2, 3, 4, 27, 58, 59, 66, 77, 127: refused(status)
    default: .failed(.brokenOff)
    }
  }

  private func refused(_ status: Int32) -> CheckVerdict {
    refusal = status
    return .notAsked
  }
}
