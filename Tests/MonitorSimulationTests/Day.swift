import OverlineCore

/// What happens to one machine, its user and its monitor in a day. The same value gives the same day.
struct Day: Hashable, Sendable {
  struct Item: Hashable, Sendable {
    /// The time since the item before, in milliseconds.
    var after: Int
    var action: Action

    init(_ after: Int, _ action: Action) {
      (self.after, self.action) = (after, action)
    }
  }

  enum Action: Hashable, Sendable {
    case network(NetworkChange)
    case suspend(seconds: Int)

    // tmux servers, by number.
    case startServer(Int, version: String)
    case stopServer(Int)
    case continueServer(Int)
    case killServer(Int)
    /// The user's configuration is read again, with these lines, and the plugin in it attaches.
    case reloadServer(Int, [String])
    case tmux(Int, String)
    /// The same, between the monitor's next reading of the server and the change that follows it.
    case tmuxMeanwhile(Int, String)
    case session(Int, String, Bool)
    case tmuxClient(Int, Bool)

    // Clients of the protocol, by number.
    case connect(Int)
    case request(Int, ObserverRequest)
    case garbage(Int)
    /// A client sends so many requests at once.
    case flood(Int, requests: Int)
    case deaf(Int, Bool)
    case hangUp(Int)
    case beginProcess(Int32)
    case endProcess(Int32)

    // The monitor.
    case start
    case terminate
    case kill
    /// Together with its guardian: the next monitor restores tmux.
    case killWithGuardian
    /// The monitor is killed at one of its next runs of tmux, before or after that run.
    case killAtTmux(runs: Int, isBefore: Bool)
    case configure(graceMilliseconds: Int, reserve: TmuxReserve, checks: Bool, hasHooks: Bool, hasMotion: Bool)
    case breakConfiguration

    /// The user wants quiet for so many seconds; 0 ends it.
    case pause(seconds: Int)

    // The history.
    case disk(Disk)
    case removeHistory
    /// A monitor of this user in another network namespace, which writes the history first, begins or ends.
    case otherMonitor(Bool)

    // The server that a check asks, and the user's commands.
    case check(Answer)
    case hookTime(milliseconds: Int)
  }

  /// Link 2 is a cable, and link 3 is wireless with a worse metric.
  enum NetworkChange: Hashable, Sendable {
    case carrier(link: Int, Bool)
    case up(link: Int, Bool)
    case address(link: Int, Bool)
    case route(link: Int, Bool)
    /// A script replaces the default route, and removes the old one first.
    case routeGap(link: Int, milliseconds: Int)
    /// Whether the router of a link answers.
    case router(link: Int, Bool)
    /// The machine sends packets for so many seconds, on three connections.
    case traffic(seconds: Int)
    /// Whether anything beyond the routers answers.
    case internet(Bool)
    /// The kernel drops messages.
    case overrun
    /// Changes interrupt the next dumps.
    case interrupt(dumps: Int)
    /// The kernel answers no question for this time.
    case deafKernel(milliseconds: Int)
  }

  enum Disk: Hashable, Sendable {
    case fine, full, readOnly
    /// Lines fit, but no second file.
    case nearlyFull
  }

  enum Answer: Hashable, Sendable {
    case good, bad, none
  }

  var items: [Item] = []
  /// How long tmux, curl, the disk and other threads take, in milliseconds: used in turn, then again from the first.
  var delays = [1]
}
