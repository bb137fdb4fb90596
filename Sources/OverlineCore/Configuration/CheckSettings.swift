/// A public server for reachability checks, with the answer that its operator documents.
package enum CheckServer: String, CaseIterable, Sendable {
  /// The server of the key `url`.
  case own = ""
  case mozilla, gnome, ubuntu

  /// Nil for ``own``.
  package var settings: CheckSettings? {
    switch self {
    case .own: nil
    case .mozilla:
      CheckSettings(url: CheckURL("http://detectportal.firefox.com/success.txt")!, expectedBody: "success")
    case .gnome:
      CheckSettings(
        url: CheckURL("http://nmcheck.gnome.org/check_network_status.txt")!, expectedBody: "NetworkManager is online")
    case .ubuntu: CheckSettings(url: CheckURL("http://connectivity-check.ubuntu.com/")!, expectedStatus: 204)
    }
  }
}

/// The settings of the reachability check: the server to query and the answer expected from it.
package struct CheckSettings: Equatable, Sendable {
  package var url: CheckURL
  /// The status of the answer (RFC 9110, section 15). No redirect is followed.
  package var expectedStatus: Int
  /// The whole text of the answer, without surrounding white space; nil accepts any text.
  package var expectedBody: String?
  /// The time from an answer to the next request.
  package var interval: Duration
  /// The time limit for the whole answer.
  package var timeout: Duration

  package init(
    url: CheckURL, expectedStatus: Int = 200, expectedBody: String? = nil, interval: Duration = .seconds(300),
    timeout: Duration = .seconds(5)
  ) {
    self.url = url
    self.expectedStatus = expectedStatus
    self.expectedBody = expectedBody
    self.interval = interval
    self.timeout = timeout
  }
}

/// The address of the check: an absolute `http` or `https` URL (RFC 3986) in printable ASCII.
package struct CheckURL: Equatable, Sendable, CustomStringConvertible {
  /// The text as written.
  package let text: String
  /// The server's name for messages: `example.net`, `192.0.2.1`, `[2001:db8::1]`.
  package let host: String

  /// The limit; many servers refuse longer URLs.
  package static let maximumLength = 2048

  /// Nil for anything else. Also nil for a URL with a user's name, because a password must not appear in the list of processes.
  package init?(_ text: String) {
    guard text.utf8.count <= Self.maximumLength, text.utf8.allSatisfy({ (0x21...0x7e).contains($0) }),
      let scheme = ["http://", "https://"].first(where: { text.lowercased().hasPrefix($0) })
    else { return nil }
    let authority = text.dropFirst(scheme.count).prefix { !"/?#".contains($0) }
    guard !authority.contains("@"), !authority.contains("\\"), let host = Self.host(of: authority) else { return nil }
    self.text = text
    self.host = host
  }

  package var description: String { text }

  /// The URL of a reference that starts with `/` or `//` (RFC 3986, section 4.2).
  package func resolving(_ reference: String) -> CheckURL? {
    let scheme = text.prefix { $0 != ":" } + ":"
    if reference.hasPrefix("//") { return CheckURL(scheme + reference) }
    return CheckURL(scheme + "//" + text.dropFirst(scheme.count + 2).prefix { !"/?#".contains($0) } + reference)
  }

  /// The host of `host`, `host:port` or `[address]:port`; nil without a host or with an invalid port.
  private static func host(of authority: Substring) -> String? {
    let isAddress = authority.hasPrefix("[")
    let end = isAddress ? authority.firstIndex(of: "]") : authority.firstIndex(of: ":") ?? authority.endIndex
    guard let end else { return nil }
    let afterHost = isAddress ? authority.index(after: end) : end
    let host = authority[..<afterHost]
    let rest = authority[afterHost...]
    guard host.count > (isAddress ? 2 : 0) else { return nil }
    let port = rest.dropFirst()
    guard rest.isEmpty || rest.first == ":" && port.allSatisfy(\.isNumber) && UInt16(port) ?? 0 > 0 else { return nil }
    return String(host)
  }
}
