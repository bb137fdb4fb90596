internal import COverlineNetlink

/// A program for the kernel that leaves out of a dump the sockets whose other end is in some networks (`INET_DIAG_REQ_BYTECODE`). So a crowd
/// of connections over loopback costs no messages and no memory.
///
/// The kernel runs each instruction for each socket. It lists a socket if the program ends exactly at its end, and leaves it out if a jump
/// leads four bytes further.
enum DestinationFilter {
  /// Each network takes two instructions per socket. Further ones stay in the dump, and are left out later.
  static let maximumCount = 32

  private static let jumpSize = 4

  static func program(without networks: [(address: AnyIPAddress, length: Int)]) -> [UInt8] {
    var program: [UInt8] = []
    for network in networks.prefix(maximumCount).reversed() {
      let condition = condition(network.address, network.length)
      let size = UInt8(jumpSize + condition.count)
      // In the network: on to the jump, which leads beyond the end. Otherwise: over the jump.
      program =
        instruction(INET_DIAG_BC_D_COND, yes: size, no: UInt16(size) + UInt16(jumpSize)) + condition
        + instruction(INET_DIAG_BC_JMP, yes: UInt8(jumpSize), no: UInt16(jumpSize + program.count + 4)) + program
    }
    return program
  }

  private static func instruction(_ code: Int, yes: UInt8, no: UInt16) -> [UInt8] {
    [UInt8(code), yes] + bytes(no)
  }

  /// `struct inet_diag_hostcond`: family, length, two bytes of padding, any port, the address. A condition of IPv4 holds for an IPv4-mapped
  /// IPv6 address too.
  private static func condition(_ address: AnyIPAddress, _ length: Int) -> [UInt8] {
    [address.family.rawValue, UInt8(length), 0, 0] + bytes(Int32(-1)) + address.bytes
  }

  private static func bytes(_ number: some FixedWidthInteger & BitwiseCopyable) -> [UInt8] {
    unsafe withUnsafeBytes(of: number) { unsafe Array($0) }
  }
}
