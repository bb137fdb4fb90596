internal import COverline
package import OverlineSystem

/// A new pseudoterminal, nobody's controlling terminal yet. Both ends are closed when their owner goes.
package struct Pseudoterminal: ~Copyable {
  /// The terminal's side: what is written here is typed.
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

  /// Gives up the program's side, which its program holds open from now on.
  package consuming func takeMaster() -> FileDescriptor { master }
}
