import OverlineTestKit
import Testing

/// Each process around a monitor and a tmux server, met by each fault at each moment.
@Suite struct MonitorFaultTests {
  struct Case: CustomTestStringConvertible, Sendable {
    let process: MonitorScene.Process
    let fault: Fault
    let moment: Moment
    let promise: Promise
    var testDescription: String { "\(process) \(fault.rawValue) \(moment)" }
  }

  static let cases = MonitorScene.Process.allCases.flatMap { process in
    Fault.allCases.flatMap { fault in
      Moment.allCases.compactMap { moment in
        MonitorScene.promise(process, fault, at: moment).map {
          Case(process: process, fault: fault, moment: moment, promise: $0)
        }
      }
    }
  }

  @Test(arguments: cases) func thePromiseIsKept(_ example: Case) throws {
    try MonitorScene(at: example.moment).check(example.promise, when: example.fault, meets: example.process)
  }
}
