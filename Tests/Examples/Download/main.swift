// Downloads a file, waits out every loss of the network under a banner, and goes on where it stopped:
//
//     OverlineDownloadExample http://192.0.2.1:8000/file FILE
import Glibc
import Overline

func printError(_ line: String) { write(2, line, line.utf8.count) }

guard CommandLine.arguments.count == 3, let source = HTTPAddress(CommandLine.arguments[1]) else {
  printError("usage: OverlineDownloadExample http://HOST:PORT/PATH FILE\n")
  exit(64)
}

let window = TerminalWindow.current
window.startNetworkMonitoring()

let file = try PartialFile(CommandLine.arguments[2])
try await download(to: file, watching: NWPathMonitor(), get: source.get)
print("done: \(file.size) bytes in \(CommandLine.arguments[2])")
