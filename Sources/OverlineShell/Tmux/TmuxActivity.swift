package import OverlineCore
package import OverlineSystem

extension TmuxServer {
  package func activity(
    timeout: Duration = defaultTimeout, until end: BootTimer? = nil
  ) throws(TmuxError) -> TmuxActivity {
    let question = ServerReading.withSession([
      "list-clients", "-F", "#{?client_control_mode,,#{client_activity}}",
    ])
    let times = ServerReading.lines(try run([question], timeout: timeout, until: end)).compactMap { Int($0) }
    return TmuxActivity(clientCount: times.count, last: times.max())
  }
}
