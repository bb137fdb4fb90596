internal import NetworkPath

/// Facts about a path in words: what `overline path` and `overline status --verbose` both print.
struct PathFacts {
  private(set) var rows: [(name: String, value: String)] = []

  /// - Parameter values: a row for each; only the first has the name.
  mutating func add(_ name: String, _ values: [String]) {
    for (index, value) in values.enumerated() { rows.append((index == 0 ? name : "", value)) }
  }

  mutating func add(_ name: String, _ value: String?) { add(name, [value].compactMap(\.self)) }

  /// The VPNs, without the word that the row's name says.
  mutating func addVPNs(of path: NWPath) {
    add(
      "VPN",
      path.tunnels.map { $0.explanation.hasPrefix("VPN ") ? String($0.explanation.dropFirst(4)) : $0.explanation })
  }

  /// When the routers of the path last answered, and anything beyond them.
  mutating func addAnswers(_ basis: NWPath.Basis) {
    add(
      "routers",
      basis.routers.map { gateway, entry in "\(gateway.address) \(entry?.words ?? "has not been asked yet")" }.sorted())
    switch basis.connections {
    case .success(let look): add("connections", look.words)
    case .failure(let error): add("connections", "unknown: \(error)")
    case nil: break
    }
  }

  /// A line for each row, in two columns.
  var lines: [String] {
    rows.map { "  " + $0.name + String(repeating: " ", count: max(1, 12 - $0.name.count)) + $0.value }
  }
}
