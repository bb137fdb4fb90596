internal import OverlineSystem

/// The user that runs the tests.
package enum TestUser {
  /// Whether this process can become another user and give files away. Root of a user namespace with one user cannot; `make test` creates
  /// such a namespace for users other than root.
  package static var canBeOthers: Bool {
    guard getuid() == 0, let map = try? Files.read("/proc/self/uid_map") else { return false }
    return String(decoding: map, as: UTF8.self).split(separator: "\n").contains { line in
      let numbers = line.split(separator: " ").compactMap { Int($0) }
      return numbers.count == 3 && (numbers[0]..<numbers[0] + numbers[2]).contains(65534)
    }
  }
}
