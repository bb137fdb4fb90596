// Programs as written for Apple's framework; only the import is specific to Linux. The first argument picks one.
#if canImport(Network)
  import Network
#else
  import NetworkPath
#endif

switch CommandLine.arguments.dropFirst().first {
case "print": printPaths()
case "observable": await watchObservable()
case "report": reportConnections()
case "stream": await streamPaths()
case "signal": waitForSignal()
case "cancel": cancelOnMain()
case "endpoints": for await path in NWPathMonitor() { Endpoints.print(path) }
default: fatalError("print, observable, report, stream, signal, cancel or endpoints")
}
