internal import Glibc
internal import OverlineSystem

/// Waits until `condition` holds, looking every few milliseconds; false when it did not within `timeout`.
///
/// For what cannot be waited for in any better way, such as another program's screen.
package func eventually(
  within timeout: Duration = .seconds(30), _ condition: () throws -> Bool
) rethrows -> Bool {
  let deadline = BootClock.now + timeout * Sanitizer.slowness
  while true {
    if try condition() { return true }
    if BootClock.now >= deadline { return false }
    usleep(3000)
  }
}

/// Waits for a child's end; its exit code, or 128 + the number of the signal that ended it.
///
/// One that does not end within `limit` is killed (137), so that its test fails where it would hang.
package func endStatus(of pid: Int32, within limit: Duration = .seconds(60)) -> Int32 {
  if let end = try? ProcessEnd(of: pid), (try? waitUntilReadable(end.rawValue, timeout: limit)) == false {
    Signal.kill.send(to: pid)
  }
  return Subprocess.wait(for: pid)
}
