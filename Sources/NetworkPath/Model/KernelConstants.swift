// Numbers of the kernel's interface. The model imports no C library: `KernelConstantTests` compares these with the headers.

enum Errno {
  /// `ENODEV`.
  static let noDevice: Int32 = 19
  /// `EOPNOTSUPP`.
  static let notSupported: Int32 = 95
}

/// The flags of an address (if_addr.h).
enum AddressFlag {
  /// `IFA_F_OPTIMISTIC`.
  static let optimistic: UInt32 = 0x04
  /// `IFA_F_DADFAILED`.
  static let duplicate: UInt32 = 0x08
  /// `IFA_F_TENTATIVE`.
  static let tentative: UInt32 = 0x40
}

/// The distance in which an address is valid (rtnetlink.h).
enum AddressScope {
  /// `RT_SCOPE_LINK`. A greater scope is narrower.
  static let link: UInt8 = 253
}
