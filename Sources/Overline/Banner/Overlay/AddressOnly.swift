/// A property without content that makes the type that contains it address-only, and each type that contains that one: Swift passes their
/// values by address. A loadable value of kilobytes is copied to the stack for each call of a method that does not change it.
struct AddressOnly: Hashable, Sendable {
  private let existential: (any Sendable)? = nil

  static func == (left: AddressOnly, right: AddressOnly) -> Bool { true }

  func hash(into hasher: inout Hasher) {}
}
