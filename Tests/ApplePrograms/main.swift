// Programs as written for Apple's framework; only the import is specific to Linux. The first argument picks one.
switch CommandLine.arguments.dropFirst().first {
case "print": printPaths()
case "observable": await watchObservable()
case "report": reportConnections()
case "stream": await streamPaths()
case "signal": waitForSignal()
default: fatalError("print, observable, report, stream or signal")
}
