internal import Glibc
internal import POSIX

/// Waits until `condition` holds, looking every few milliseconds; false when it did not within `timeout`.
///
/// For what cannot be waited for in any better way, such as another program's screen.
package func eventually(
  within timeout: Duration = .seconds(10), _ condition: () throws -> Bool
) rethrows -> Bool {
  let deadline = BootClock.now + timeout
  while true {
    if try condition() { return true }
    if BootClock.now >= deadline { return false }
    usleep(3000)
  }
}
