public import Banner
public import POSIX
internal import Synchronization

/// What a window shows now, for those who are told.
public struct WindowStatus: Hashable, Sendable {
  public var banner = BannerStatus()
  /// The rows that the program really goes without.
  public var inset = Inset()

  public init() {}
}

/// The way into a window that runs, and out of it, for other threads.
public final class WindowLink: Sendable {
  private let events = Mutex<[BannerEvent]>([])
  let bell: Doorbell
  let onChange: @Sendable (WindowStatus) -> Void

  /// - Parameter onChange: called on the window's thread with each new status; the first is that of an empty one. Must not wait.
  public init(onChange: @escaping @Sendable (WindowStatus) -> Void) throws(SystemError) {
    bell = try Doorbell()
    self.onChange = onChange
  }

  /// Hands an event to the window's banner.
  public func post(_ event: BannerEvent) {
    events.withLock { $0.append(event) }
    bell.ring()
  }

  func take() -> [BannerEvent] {
    bell.answer()
    return events.withLock { events in
      defer { events = [] }
      return events
    }
  }
}
