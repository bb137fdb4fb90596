internal import ArgumentParser
internal import OverlineCore
internal import OverlineShell

/// A command's exit status. Numbers from 64 up are those of sysexits.h.
enum ExitStatus: Int32 {
  /// Online, or done.
  case success = 0
  /// Offline, or the wait timed out.
  case offline = 1
  /// Overline itself failed.
  case failure = 2
  case usage = 64
  /// Overline itself failed, in a command whose statuses below 64 are answers (EX_SOFTWARE).
  case alertFailure = 70
  /// A monitor is needed, and none runs.
  case noMonitor = 69
  case badConfiguration = 78

  /// The doctor found a problem.
  static let problem = ExitStatus.offline
  /// There was nothing to dismiss.
  static let nothing = ExitStatus.offline

  init(_ error: any Error) {
    switch error {
    case is ConfigurationError: self = .badConfiguration
    case is WaitCondition.Contradiction: self = .usage
    case let error as ObserverSocketError where error.code == .noMonitor: self = .noMonitor
    case let error as CommandError: self = error.status
    default: self = .failure
    }
  }
}

/// An error whose description is a sentence for the user.
struct CommandError: Error, CustomStringConvertible {
  var status = ExitStatus.failure
  let description: String

  init(_ description: String, status: ExitStatus = .failure) {
    self.description = description
    self.status = status
  }
}

/// Prints an error's lines on standard error and returns its status.
func report(_ error: any Error) -> ExitStatus {
  for line in "\(error)".split(separator: "\n") { Output.warn(String(line)) }
  return ExitStatus(error)
}

extension ParsableCommand {
  /// Runs a command's body and ends the process with its status.
  func finish(_ body: () throws -> ExitStatus) throws {
    let status: ExitStatus
    do { status = try body() } catch { status = report(error) }
    throw ExitCode(status.rawValue)
  }
}
