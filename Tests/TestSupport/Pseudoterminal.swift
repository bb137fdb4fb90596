internal import COverline
package import OverlineSystem

/// A new pseudoterminal, not yet the controlling terminal of any process. Releasing it closes both sides.
package struct Pseudoterminal: ~Copyable {
  /// The terminal's side: the program reads bytes written here as typed input.
  package let master: FileDescriptor
  /// The program's side.
  package let slave: FileDescriptor

  package init(rows: Int, columns: Int) throws(SystemError) {
    var raw: Int32 = -1
    var other: Int32 = -1
    let result = unsafe csystem_open_pseudoterminal(&raw, &other)
    guard result == 0 else { throw SystemError(code: -result, attempt: "open a pseudoterminal") }
    master = FileDescriptor(owning: raw)
    slave = FileDescriptor(owning: other)
    try? WindowSize(rows: rows, columns: columns).set(raw)
  }

  /// Closes the program's side here; the program holds it open from now on.
  package consuming func takeMaster() -> FileDescriptor { master }
}
