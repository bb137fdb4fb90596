import Dispatch

#if canImport(Network)
  import Network
#else
  import NetworkPath
#endif

/// A delegate-style wrapper with one monitor for everything and one for Wi-Fi.
protocol ConnectionDelegate: AnyObject, Sendable {
  func connectionDidChange(to connection: ConnectionReport.Connection, isExpensive: Bool, isConstrained: Bool)
  func routerDidChange(to host: NWEndpoint.Host?)
  func wifiDidChange(isAvailable: Bool)
}

final class ConnectionReport: @unchecked Sendable {
  enum Connection: Equatable {
    case ethernet, wifi, cellular, unknown
    case unavailable(String)
  }

  weak var delegate: (any ConnectionDelegate)?
  private let monitor: NWPathMonitor
  private let wifiMonitor = NWPathMonitor(requiredInterfaceType: .wifi)
  private let queue = DispatchQueue(label: "ConnectionReport", qos: .utility)

  init(ignoring types: [NWInterface.InterfaceType] = [.loopback]) {
    monitor = NWPathMonitor(prohibitedInterfaceTypes: types)
  }

  func start() {
    monitor.pathUpdateHandler = { [weak self] newPath in
      self?.pathDidChange(newPath)
    }
    wifiMonitor.pathUpdateHandler = { [weak self] (path: NWPath) -> Void in
      self?.delegate?.wifiDidChange(isAvailable: path.status == .satisfied)
    }
    monitor.start(queue: queue)
    wifiMonitor.start(queue: queue)
  }

  func stop() {
    monitor.cancel()
    wifiMonitor.cancel()
  }

  private func pathDidChange(_ path: NWPath) {
    delegate?.connectionDidChange(
      to: connection(of: path), isExpensive: path.isExpensive, isConstrained: path.isConstrained)
    guard case .hostPort(let host, _)? = path.gateways.first else {
      delegate?.routerDidChange(to: nil)
      return
    }
    delegate?.routerDidChange(to: host)
  }

  private func connection(of path: NWPath) -> Connection {
    switch path.status {
    case .satisfied:
      let interface = path.availableInterfaces.first { path.usesInterfaceType($0.type) }
      switch interface?.type {
      case .wiredEthernet: return .ethernet
      case .wifi: return .wifi
      case .cellular: return .cellular
      case .loopback, .other, nil: return .unknown
      @unknown default: return .unknown
      }
    case .requiresConnection:
      return .unavailable("no connection yet")
    case .unsatisfied:
      switch path.unsatisfiedReason {
      case .cellularDenied: return .unavailable("cellular denied")
      case .wifiDenied: return .unavailable("Wi-Fi denied")
      case .localNetworkDenied: return .unavailable("local network denied")
      case .vpnInactive: return .unavailable("VPN inactive")
      case .notAvailable: return .unavailable("no reason available")
      @unknown default: return .unavailable("a new reason")
      }
    @unknown default:
      return .unknown
    }
  }
}

private final class Printer: ConnectionDelegate {
  func connectionDidChange(to connection: ConnectionReport.Connection, isExpensive: Bool, isConstrained: Bool) {
    print("connection: \(connection)\(isExpensive ? ", expensive" : "")\(isConstrained ? ", constrained" : "")")
  }

  func routerDidChange(to host: NWEndpoint.Host?) {
    switch host {
    case .ipv4(let address): print("router: IPv4 \(address) \(Array(address.rawValue))")
    case .ipv6(let address): print("router: IPv6 \(address) \(address.interface?.name ?? "-")")
    case .name(let name, _): print("router: \(name)")
    case nil: print("router: none")
    @unknown default: print("router: new")
    }
  }

  func wifiDidChange(isAvailable: Bool) { print("Wi-Fi: \(isAvailable)") }
}

func reportConnections() -> Never {
  let report = ConnectionReport()
  let printer = Printer()
  report.delegate = printer
  report.start()
  withExtendedLifetime((report, printer)) { dispatchMain() }
}
