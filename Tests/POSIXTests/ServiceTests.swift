import OverlineProcess
import OverlineSystem
import OverlineTestThread
import Testing

@Suite(.ownThread) struct ServiceTests {
  private func service(_ variables: [String: String]) -> ServiceEnvironment {
    ServiceEnvironment(environment: { variables[$0] }, processID: 42)
  }

  @Test func withoutAManagerThereIsNothing() {
    let service = service([:])
    #expect(service.notifySocket == nil && service.watchdog == nil && service.listeners.isEmpty)
  }

  @Test(arguments: [
    (["WATCHDOG_USEC": "30000000"], Duration.seconds(30)),
    (["WATCHDOG_USEC": "500", "WATCHDOG_PID": "42"], .microseconds(500)),
    (["WATCHDOG_USEC": "500", "WATCHDOG_PID": "43"], nil), (["WATCHDOG_USEC": "0"], nil),
    (["WATCHDOG_USEC": "soon"], nil),
    (["WATCHDOG_USEC": "-5"], nil), (["WATCHDOG_USEC": "18446744073709551615"], nil), (["WATCHDOG_PID": "42"], nil),
  ])
  func theWatchdogIsOursWhenItIsMeantForUs(_ variables: [String: String], _ interval: Duration?) {
    #expect(service(variables).watchdog == interval)
  }

  @Test(arguments: [
    (["LISTEN_PID": "42", "LISTEN_FDS": "2", "LISTEN_FDNAMES": "monitor:other"], ["monitor", "other"]),
    (["LISTEN_PID": "42", "LISTEN_FDS": "2", "LISTEN_FDNAMES": "monitor"], ["monitor", "unknown"]),
    (["LISTEN_PID": "42", "LISTEN_FDS": "1"], ["unknown"]), (["LISTEN_PID": "41", "LISTEN_FDS": "1"], []),
    (["LISTEN_FDS": "1"], []), (["LISTEN_PID": "42", "LISTEN_FDS": "-1"], []),
    (["LISTEN_PID": "42", "LISTEN_FDS": "x"], []),
    (["LISTEN_PID": "42", "LISTEN_FDS": "100000"], []),
  ])
  func socketsAreTakenOnlyWhenTheyAreForUs(_ variables: [String: String], _ names: [String]) {
    #expect(service(variables).listeners == names)
  }

  @Test(arguments: ["relative", "vsock:2:1234", "@", "/nowhere/at/all", "/" + String(repeating: "x", count: 200)])
  func anInvalidAddressIsAnError(_ address: String) {
    do {
      _ = try NotifySocket(address)
      Issue.record("it was taken")
    } catch {
      #expect("\(error)".hasPrefix("cannot connect to the service manager at \(address): "))
    }
  }
}
