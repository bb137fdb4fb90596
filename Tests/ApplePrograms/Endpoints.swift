#if canImport(Network)
  import Network
#else
  import NetworkPath
#endif

/// A list for a settings view, as programs for Apple's framework write it.
extension NWInterface.InterfaceType: CaseIterable {
  static var allCases: [NWInterface.InterfaceType] { [.other, .wifi, .cellular, .wiredEthernet, .loopback] }
}

/// Prints what the program knows of endpoints and of a path.
enum Endpoints {
  static func print(_ path: NWPath) {
    let server = NWEndpoint.hostPort(host: "example.com", port: .https)
    let printer = NWEndpoint.service(name: "Printer", type: "_ipp._tcp", domain: "local.", interface: nil)
    let local = NWEndpoint.hostPort(host: .ipv4(.loopback), port: NWEndpoint.Port("http") ?? 8080)
    let number = UInt16(8443)
    let alternative = NWEndpoint.hostPort(host: NWEndpoint.Host("::1"), port: NWEndpoint.Port(rawValue: number)!)
    for endpoint in [server, printer, local, alternative, .unix(path: "/run/service")] { Swift.print(name(endpoint)) }
    guard path.localEndpoint == nil, path.remoteEndpoint == nil else { return }
    Swift.print("ultra-constrained: \(path.isUltraConstrained), \(quality(path.linkQuality))")
    Swift.print("types: \(NWInterface.InterfaceType.allCases.filter { path.usesInterfaceType($0) })")
  }

  private static func name(_ endpoint: NWEndpoint) -> String {
    switch endpoint {
    case .hostPort(let host, let port): "\(host) \(port) \(endpoint.interface?.name ?? "-")"
    case .service(let name, _, _, _): name
    case .unix(let path): path
    case .url(let url): url.absoluteString
    case .opaque: "opaque"
    @unknown default: "new"
    }
  }

  private static func quality(_ quality: NWPath.LinkQuality) -> String {
    switch quality {
    case .good, .moderate, .minimal: "measured"
    case .unknown: "unknown"
    @unknown default: "new"
    }
  }
}
