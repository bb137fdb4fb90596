/// Makes a type with this property address-only, and every type around it: Swift passes their values by address. It copies the values of
/// other types to the stack for each call of a nonmutating method, even if they have kilobytes.
struct AddressOnly: Equatable, Sendable {
  private let existential: (any Sendable)? = nil

  static func == (left: AddressOnly, right: AddressOnly) -> Bool { true }

  func hash(into hasher: inout Hasher) {}
}
