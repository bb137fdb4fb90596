internal import OverlineSystem

extension NWEndpoint.Port {
  /// A port from a number (`"80"`) or from the name of a TCP service that the system knows (`"http"`, services(5)); nil for other text.
  public init?(_ service: String) {
    let isNumber = !service.isEmpty && service.utf8.allSatisfy { (0x30...0x39).contains($0) }
    guard let number = isNumber ? UInt16(service) : servicePort(service) else { return nil }
    self.init(rawValue: number)
  }
}
