#if canImport(Network)
  import Network
#else
  import NetworkPath
#endif

for await path in NWPathMonitor() {
  print(path.status == .satisfied ? "online" : "offline")
}
