internal import OverlineObservers

/// The request as it will be read; what is wrong with it is wrong usage.
func checked(_ request: ObserverRequest) throws -> ObserverRequest {
  do throws(ProtocolError) {
    return try request.checked()
  } catch {
    throw CommandError(error.message, status: .usage)
  }
}

/// Asks the monitor, which must be there.
func response(
  to request: ObserverRequest, options: CommonOptions, timeout: Duration = .seconds(2)
) throws -> ObserverResponse {
  var client = try ObserverClient(path: options.socketPath(), timeout: timeout)
  return try client.request(request)
}

/// Asks for something that has no answer but its success.
func ask(_ request: ObserverRequest, options: CommonOptions, timeout: Duration = .seconds(2)) throws -> ExitStatus {
  try expectSuccess(response(to: request, options: options, timeout: timeout))
}

extension ExitStatus {
  /// What a refusal means for whoever asked.
  fileprivate init(code: String) {
    self =
      switch ProtocolError.Code(rawValue: code) {
      case .badConfiguration: .badConfiguration
      case .badJSON, .missingField, .badField, .badColor: .usage
      // The same as where no monitor runs: nothing is there to show it.
      case .noScreen: .noMonitor
      case _: .failure
      }
  }
}

/// Turns a refusal into an error that says why.
@discardableResult
func expectSuccess(_ response: ObserverResponse) throws -> ExitStatus {
  switch response {
  case .ok: return .success
  case .failure(let message, let code):
    throw CommandError(message, status: ExitStatus(code: code))
  }
}
