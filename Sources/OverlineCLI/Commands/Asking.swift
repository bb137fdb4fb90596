internal import OverlineCore
internal import OverlineShell

/// Checks a request like its recipient; an invalid request is a usage error.
func checked(_ request: ObserverRequest) throws -> ObserverRequest {
  do throws(ProtocolError) {
    return try request.checked()
  } catch {
    throw CommandError(error.message, status: .usage)
  }
}

/// Asks the monitor. Throws if none runs.
///
/// - Parameter limit: the time for an answer that takes long.
func response(
  to request: ObserverRequest, options: CommonOptions, within limit: Duration? = nil
) throws -> ObserverResponse {
  var client = try ObserverClient(path: options.socketPath())
  return try client.request(request, within: limit)
}

/// Sends a request whose only answer is its success.
func ask(_ request: ObserverRequest, options: CommonOptions, within limit: Duration? = nil) throws -> ExitStatus {
  try expectSuccess(response(to: request, options: options, within: limit))
}

extension ExitStatus {
  /// The exit status for a refusal.
  fileprivate init(code: String) {
    self =
      switch ProtocolError.Code(rawValue: code) {
      case .badConfiguration: .badConfiguration
      case .badJSON, .missingField, .badField, .badColor: .usage
      // The same status as without a monitor: no program can show the request.
      case .noScreen: .noMonitor
      case _: .failure
      }
  }
}

/// Says that nothing of an accepted request shows before the end of the user's pause.
func sayPause(_ response: ObserverResponse, _ words: String, options: CommonOptions) {
  if let end = response.pausedUntil, !options.quiet { Output.warn("paused until \(end); \(words)") }
}

/// Throws the reason of a refusal as an error.
@discardableResult
func expectSuccess(_ response: ObserverResponse) throws -> ExitStatus {
  switch response {
  case .ok: return .success
  // Each version knows its own requests.
  case .failure(_, ProtocolError.Code.unknownRequest.rawValue):
    throw CommandError(
      "the monitor or window that answered is of another version and does not know this request; end it and start it again"
    )
  case .failure(let message, let code):
    throw CommandError(message, status: ExitStatus(code: code))
  }
}
