internal import OverlineCore
internal import OverlineShell
internal import OverlineSystem

/// The possible recipients of a command's request, the best first: the window that the command is called in; inside tmux the monitor, which
/// shows the request there; the window with the last input, or else the newest window; the monitor.
struct Recipients {
  private let sockets: [String]
  /// Sockets found in the runtime directory, probed first: a stopped recipient (Ctrl-Z) would perform the request when it continues.
  private let found: Set<String>
  private let directory: RuntimeDirectory?
  /// The tmux server that the command is called in.
  let tmux = Self.tmux

  init(options: CommonOptions) {
    if let socket = options.socket {
      sockets = [socket]
      found = []
      directory = nil
      return
    }
    directory = try? RuntimeDirectory.locate()
    let monitor = directory.map { [$0.socket] } ?? []
    let here = Self.window.map { [$0] } ?? []
    let windows = directory?.windowSockets ?? []
    found = Set(windows + monitor).subtracting(here)
    sockets = here + (tmux == nil ? windows + monitor : monitor + windows)
  }

  /// - Parameter found: those of the sockets that were found in the runtime directory.
  private init(_ sockets: [String], found: [String] = [], in directory: RuntimeDirectory? = nil) {
    self.sockets = sockets
    self.found = Set(found)
    self.directory = directory
  }

  /// Dismisses what Overline claims, for the user: in the window that the command is called in; elsewhere in the monitor, which every window
  /// follows. If no monitor answers, in each window.
  ///
  /// - Returns: the answers, at least one.
  static func dismissClaim(options: CommonOptions) throws -> [ObserverResponse] {
    if let socket = options.socket { return [try Recipients([socket]).lastAnswer(to: .dismissClaim)] }
    if let window, let answer = try Recipients([window]).answers(to: .dismissClaim).last { return [answer.response] }
    let directory = try? RuntimeDirectory.locate()
    let monitor = directory.map { [$0.socket] } ?? []
    if let answer = try Recipients(monitor, found: monitor, in: directory).answers(to: .dismissClaim).last {
      return [answer.response]
    }
    let windows = directory?.windowSockets ?? []
    let answers = try Recipients(windows, found: windows, in: directory).answers(
      to: .dismissClaim, until: { _ in false })
    if answers.isEmpty { throw CommandError.noRecipient }
    return answers.map(\.response)
  }

  private static var tmux: String? { ProcessEnvironment["TMUX"].flatMap { TmuxServer(environment: $0) }?.socket }

  /// The socket of the window that the command is called in. Nil inside tmux: a tmux server that was started in a window has that window's
  /// variable, but its clients may now be on any terminal.
  static var window: String? { tmux == nil ? ProcessEnvironment[PassthroughReason.socketVariable] : nil }

  struct Answer {
    var response: ObserverResponse
    /// The socket of the recipient that answered.
    var socket: String
  }

  /// The answers of the recipients that respond, in the order of asking. Only the last answer may suffice.
  ///
  /// - Parameters:
  ///   - other: the socket of a recipient to skip.
  ///   - isLast: whether an answer suffices. If not, the next recipient gets the request too.
  func answers(
    to request: ObserverRequest, except other: String? = nil, until isLast: (ObserverResponse) -> Bool = { _ in true }
  ) throws -> [Answer] {
    var answers: [Answer] = []
    for socket in sockets where socket != other {
      do throws(ObserverSocketError) {
        if found.contains(socket) {
          var client = try ObserverClient(path: socket, timeout: .milliseconds(300))
          _ = try client.request(.status())
        }
        var client = try ObserverClient(path: socket)
        let response = try client.request(request)
        answers.append(Answer(response: response, socket: socket))
        if isLast(response) { break }
      } catch {
        // The recipient has ended, or does not answer.
        guard [.noMonitor, .timeout, .pathTooLong].contains(error.code) else { throw error }
        // A killed window leaves its socket behind.
        if error.code == .noMonitor, found.contains(socket), socket != directory?.socket {
          directory?.removeWindowSocket(socket)
        }
      }
    }
    return answers
  }

  /// Sends a request that some recipient must fulfil.
  func expectSuccess(
    of request: ObserverRequest, until isLast: (ObserverResponse) -> Bool = { _ in true }
  ) throws -> ExitStatus {
    try OverlineCLI.expectSuccess(lastAnswer(to: request, until: isLast))
  }

  /// The last of ``answers(to:except:until:)``. Throws if no recipient answers.
  func lastAnswer(
    to request: ObserverRequest, until isLast: (ObserverResponse) -> Bool = { _ in true }
  ) throws -> ObserverResponse {
    guard let answer = try answers(to: request, until: isLast).last else {
      throw CommandError.noRecipient
    }
    return answer.response
  }
}

extension CommandError {
  fileprivate static let noRecipient = CommandError(
    "there is no window and no monitor that answers; start one with: overline monitor", status: .noMonitor)
}
