import Testing

/// One field of the matrix.
struct FaultCase<Process: RawRepresentable<String> & CaseIterable & Sendable>: CustomTestStringConvertible, Sendable {
  let process: Process
  let fault: Fault
  let moment: Moment
  let promise: Promise

  var testDescription: String { "\(process.rawValue) \(fault.rawValue) \(moment)" }

  /// All fields with a promise.
  static func all(_ promise: (Process, Fault, Moment) -> Promise?) -> [FaultCase] {
    Process.allCases.flatMap { process in
      Fault.allCases.flatMap { fault in
        Moment.allCases.compactMap { moment in
          promise(process, fault, moment).map {
            FaultCase(process: process, fault: fault, moment: moment, promise: $0)
          }
        }
      }
    }
  }
}
