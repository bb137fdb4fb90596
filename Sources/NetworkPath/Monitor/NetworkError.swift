internal import OverlineSystem

extension NWPathMonitor {
  /// Whether an error says that a connection failed, and not that a server has answered, a disk is full, or a program is wrong.
  ///
  /// Knows errors whose raw value is an error number of the network, such as `ECONNRESET` (swift-system's `Errno`), Foundation's
  /// `POSIXError` and `URLError`, the errors of a SwiftNIO connection, and ``WentOffline``. ``retryingWhenOffline(limit:timeout:settling:shouldRetry:isolation:_:)-(_,_,_,_,_,()->Success)``
  /// uses it for failures after an outage.
  public static func isNetworkError(_ error: any Error) -> Bool {
    if error is WentOffline { return true }
    if let number = (error as? any RawRepresentable)?.rawValue as? Int32 { return NetworkErrors.contains(number) }
    // A program that uses neither Foundation nor SwiftNIO must not link them. The standard library gives each error a domain and a code.
    switch error._domain {
    case "NSPOSIXErrorDomain": return NetworkErrors.contains(Int32(truncatingIfNeeded: error._code))
    case "FoundationEssentials.POSIXError":
      // Its code as an error is always 1.
      let code = Mirror(reflecting: error).descendant("code") as? any RawRepresentable
      return (code?.rawValue as? Int32).map(NetworkErrors.contains) ?? false
    case "NSURLErrorDomain": return urlErrors.contains(error._code)
    case "NIOCore.IOError":
      return (Mirror(reflecting: error).descendant("errnoCode") as? Int32).map(NetworkErrors.contains) ?? true
    case "NIOCore.ChannelError": return channelErrors.contains { "\(error)".hasPrefix($0) }
    case "NIOPosix.NIOConnectionError": return true
    default: return false
    }
  }

  /// The cases of SwiftNIO's `ChannelError` that say that a connection has failed. The others are errors of a program.
  private static let channelErrors = [
    "connectTimeout", "ioOnClosedChannel", "alreadyClosed", "inputClosed", "outputClosed", "eof",
  ]

  /// Codes of Foundation's `URLError`: unknown, by which `URLSession` on Linux reports that it cannot connect; timedOut, cannotFindHost, cannotConnectToHost, networkConnectionLost, dnsLookupFailed,
  /// notConnectedToInternet, internationalRoamingOff, callIsActive, dataNotAllowed, secureConnectionFailed.
  private static let urlErrors = [-1, -1001, -1003, -1004, -1005, -1006, -1009, -1018, -1019, -1020, -1200]
}
