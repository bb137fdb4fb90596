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
  mutating func addVPNs(_ sentences: [String]) {
    add("VPN", sentences.map { $0.hasPrefix("VPN ") ? String($0.dropFirst(4)) : $0 })
  }

  /// When the routers of the path last answered, and anything beyond them.
  ///
  /// - Parameter silent: what the monitor knows of routers that do not answer now. The kernel forgets when they last did.
  mutating func addAnswers(_ basis: NWPath.Basis, silent: [Gateway: RouterSilence]) {
    add(
      "routers",
      basis.routers.map { gateway, entry in
        let last = silent[gateway]?.age.map { "; it last answered \($0.components.seconds) s ago" } ?? ""
        return "\(gateway.address) \(entry?.words ?? Neighbour.unasked)\(last)"
      }.sorted())
    switch basis.connections {
    case .success(let look): add("connections", look.words)
    case .failure(let error): add("connections", "unknown: \(error)")
    case nil: break
    }
    // A single look has nothing to compare with.
    if let look = try? basis.quality?.get() {
      var meter = QualityMeter()
      meter.take(look, at: .zero)
      add("quality", meter.reading.wordsOfOneLook ?? "unknown now; overline quality looks longer")
    }
  }

  /// A line for each row, in two columns.
  var lines: [String] {
    rows.map { "  " + $0.name + String(repeating: " ", count: max(1, 12 - $0.name.count)) + $0.value }
  }
}
