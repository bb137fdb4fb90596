import AsyncHTTPClient
import Configuration
import NIOCore
import NIOPosix
import NetworkPath
import Overline
import OverlineTestKit
import Subprocess
import SystemPackage

// One use of each module, so that all of them are linked.
let path = NWPathMonitor().currentPath
let clock = ManualClock()
let bytes = ByteBuffer(string: "\(path.status)")
let file = FilePath("/dev/null")
let configuration = ConfigReader(provider: EnvironmentVariablesProvider())
let group = MultiThreadedEventLoopGroup.singleton
let client = HTTPClient.shared
let result = try await Subprocess.run(.name("true"), output: .discarded)
print(
  bytes.readableBytes, clock.now, file, configuration.string(forKey: "home") ?? "", result.terminationStatus, client,
  group)
print(BannerAppearance(title: "No connection", backgroundColor: .white).title)
