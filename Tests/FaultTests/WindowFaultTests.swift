import OverlineTestKit
import Testing

/// Each process around a window, met by each fault at each moment.
@Suite struct WindowFaultTests {
  struct Case: CustomTestStringConvertible, Sendable {
    let process: WindowScene.Process
    let fault: Fault
    let moment: Moment
    let promise: Promise
    var testDescription: String { "\(process) \(fault.rawValue) \(moment)" }
  }

  static let cases = WindowScene.Process.allCases.flatMap { process in
    Fault.allCases.flatMap { fault in
      Moment.allCases.compactMap { moment in
        WindowScene.promise(process, fault, at: moment).map {
          Case(process: process, fault: fault, moment: moment, promise: $0)
        }
      }
    }
  }

  @Test(arguments: cases) func thePromiseIsKept(_ example: Case) throws {
    try WindowScene(at: example.moment).check(example.promise, when: example.fault, meets: example.process)
  }
}
