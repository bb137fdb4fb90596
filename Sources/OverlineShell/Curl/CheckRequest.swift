internal import Dispatch
internal import OverlineCore
internal import OverlineProcess
internal import OverlineSystem

/// One request to the internet, by curl(1) in its own process. curl follows no redirect and reads none of the user's files.
///
/// A process has three advantages over a library. Each request resolves names anew, with the current nameservers. The monitor contains no
/// TLS code that uses memory and needs updates. And a hanging request can be killed. Used on the monitor's queue only.
final class CheckRequest: @unchecked Sendable {
  private let pid: Int32
  private let pipe: SharedPipe
  /// curl's own report at its end: the seconds until the first byte of an answer.
  private let report: SharedPipe
  private let completion: (CheckVerdict) -> Void
  private var answer: CheckAnswer
  private var verdict: CheckVerdict?
  private var source: ReadSource?
  private var end: ProcessWatch?
  private var isOver = false
  /// curl's exit code, if curl itself refused to make the request.
  private(set) var refusal: Int32?

  /// Throws if curl cannot be started, ``SystemError/isNoSuchFile`` if it is not installed.
  ///
  /// - Parameter completion: called on `queue`, once, after this returned.
  init(
    _ settings: CheckSettings, queue: DispatchQueue, completion: @escaping (CheckVerdict) -> Void
  ) throws(SystemError) {
    pipe = try SharedPipe()
    report = try SharedPipe()
    pid = try Subprocess.spawn(
      "curl", Self.arguments(settings), newSession: true,
      descriptors: [(pipe.ends.writing.rawValue, 1), (report.ends.writing.rawValue, 2)])
    self.completion = completion
    answer = CheckAnswer(expecting: settings)
    // Both sources retain this object, and it releases both at its end. So the child is reaped whatever happens to the check.
    end = try ProcessWatch.ofChild(pid, queue: queue) { self.ended() }
    do {
      source = try ReadSource(descriptor: pipe.ends.reading.rawValue, keeping: pipe, queue: queue) { self.read() }
    } catch {
      cancel()
      throw error
    }
  }

  private static func arguments(_ settings: CheckSettings) -> [String] {
    // The check itself kills a late request. curl's own limit is a second longer, for the case that the monitor is killed.
    let seconds = (settings.timeout + .seconds(1)).components.seconds
    return [
      // This option must come first, or curl reads ~/.curlrc.
      "--disable",
      "--silent", "--include", "--suppress-connect-headers", "--no-buffer", "--globoff",
      "--proto", "=http,https", "--max-redirs", "0", "--max-time", String(seconds),
      "--write-out", "%{stderr}%{time_starttransfer}", "--url", settings.url.text,
    ]
  }

  /// Ends the request without calling `completion`.
  func cancel() {
    if verdict == nil { verdict = .notAsked }
    kill()
  }

  /// Kills curl's process group. If `curl` is a script, the group includes its children.
  private func kill() {
    if !isOver { Signal.kill.send(to: -pid) }
  }

  private func read() {
    while source != nil, let bytes = try? pipe.ends.reading.read(atMost: 16 * 1024) {
      if let verdict = answer.take(bytes) { return conclude(verdict) }
    }
  }

  /// Delivers the first verdict; later ones change nothing.
  private func conclude(_ new: CheckVerdict) {
    source = nil
    kill()
    guard verdict == nil else { return }
    verdict = new
    completion(new)
  }

  private func ended() {
    guard !isOver else { return }
    // Kill before reaping, while no other process group can have this number.
    kill()
    // Its last output may not have been read yet.
    read()
    let status = Subprocess.wait(for: pid)
    isOver = true
    conclude(judge(status))
    end = nil
  }

  private func judge(_ status: Int32) -> CheckVerdict {
    if let verdict = CheckVerdict(curlExit: status, answer: answer.end(), hasAnswered: hasAnswered) { return verdict }
    refusal = status
    return .notAsked
  }

  /// Whether a byte of an answer has arrived. curl drops a line of the head that is too long, so its output does not show that.
  private var hasAnswered: Bool {
    guard let seconds = try? report.ends.reading.read(atMost: 64) else { return false }
    // The program loader's message about a curl that cannot be run contains digits too. The user's locale decides about point or comma.
    return seconds.allSatisfy { Self.digits.contains($0) || $0 == UInt8(ascii: ".") || $0 == UInt8(ascii: ",") }
      && seconds.contains { Self.digits.contains($0) && $0 != UInt8(ascii: "0") }
  }

  private static let digits = UInt8(ascii: "0")...UInt8(ascii: "9")
}
