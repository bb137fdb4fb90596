internal import OverlineProcess
internal import OverlineSystem

/// Waits until `condition` holds, testing every few milliseconds; returns false after `timeout`.
///
/// For conditions without a better way to wait, such as another program's screen.
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

/// Waits for a time that is part of a test's input: a late answer, a fault at any moment. To wait for a result, use ``eventually``.
package func pause(for duration: Duration) {
  usleep(UInt32(duration / .microseconds(1)))
}

/// Waits for a child's end. Returns its exit code, or 128 + the number of the signal that ended it.
///
/// A child that does not end within `limit` is killed (137), so that its test fails instead of hanging.
package func endStatus(of pid: Int32, within limit: Duration = .seconds(60)) -> Int32 {
  if let end = try? ProcessEnd(of: pid), (try? waitUntilReadable(end.rawValue, timeout: limit)) == false {
    Signal.kill.send(to: pid)
  }
  return Subprocess.wait(for: pid)
}
