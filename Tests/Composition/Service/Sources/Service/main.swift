import Logging
import NetworkPath
import ServiceLifecycle

let logger = Logger(label: "service")
let health = NetworkHealth(NWPathMonitor(), settling: .seconds(2), logger: logger)
let server = HealthServer(port: Int(CommandLine.arguments.dropFirst().first ?? "") ?? 8080, health: health)
let group = ServiceGroup(
  services: [health, server], gracefulShutdownSignals: [.sigterm, .sigint], logger: logger)
try await group.run()
