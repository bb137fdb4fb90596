internal import OverlineCore
internal import OverlineShell
internal import OverlineSystem

/// The windows and the monitor that a command's request is offered to, in the order of ``RecipientOrder``.
struct Recipients {
  private let order: RecipientOrder
  private let directory: RuntimeDirectory?
  /// The tmux server that the command is called in.
  let tmux = Self.tmux

  init(options: CommonOptions) {
    if let socket = options.socket {
      order = RecipientOrder([socket])
      directory = nil
      return
    }
    directory = try? RuntimeDirectory.locate()
    order = RecipientOrder(
      window: Self.window, isInTmux: tmux != nil, monitor: directory?.socket, windows: directory?.windowSockets ?? [])
  }

  private init(_ order: RecipientOrder, in directory: RuntimeDirectory? = nil) {
    self.order = order
    self.directory = directory
  }

  /// Dismisses what Overline claims, for the user: in the window that the command is called in; elsewhere in the monitor, which every window
  /// follows. If no monitor answers, in each window.
  ///
  /// - Returns: the answers, at least one.
  static func dismissClaim(options: CommonOptions) throws -> [ObserverResponse] {
    if let socket = options.socket { return [try Recipients(RecipientOrder([socket])).lastAnswer(to: .dismissClaim)] }
    if let window, let answer = try Recipients(RecipientOrder([window])).answers(to: .dismissClaim).last {
      return [answer.response]
    }
    let directory = try? RuntimeDirectory.locate()
    let monitor = RecipientOrder(directory.map { [$0.socket] } ?? [], isProbed: true)
    if let answer = try Recipients(monitor, in: directory).answers(to: .dismissClaim).last {
      return [answer.response]
    }
    let windows = RecipientOrder(directory?.windowSockets ?? [], isProbed: true)
    let answers = try Recipients(windows, in: directory).answers(
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
    for socket in order.sockets where socket != other {
      do throws(ObserverSocketError) {
        if order.probed.contains(socket) {
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
        if error.code == .noMonitor, order.probed.contains(socket), socket != directory?.socket {
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
