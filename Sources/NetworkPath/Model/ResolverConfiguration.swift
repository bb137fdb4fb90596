/// The nameservers of a resolv.conf(5).
package enum ResolverConfiguration {
  /// Lines other than `nameserver ADDRESS` are ignored, as the resolver does.
  package static func nameservers(in text: String) -> [AnyIPAddress] {
    text.split(whereSeparator: \.isNewline).compactMap { line in
      let words = line.split { $0 == " " || $0 == "\t" }
      guard words.count >= 2, words[0] == "nameserver" else { return nil }
      return AnyIPAddress(words[1])
    }
  }
}
