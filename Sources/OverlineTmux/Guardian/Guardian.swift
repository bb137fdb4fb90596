internal import Dispatch
internal import OverlineSystem

/// The other side of ``GuardianProcess``: what the hidden verb of the executable runs.
package enum Guardian {
  /// Blocks until the monitor says farewell, or until the pipe closes without: then the monitor has died, and so has every tmux
  /// client it was running, since those hold the pipe too. Then every server that had a line gets it restored.
  ///
  /// - Parameter descriptor: the pipe's reading end.
  package static func run(descriptor: Int32 = 0) {
    var sockets: Set<String> = []
    var bytes: [UInt8] = []
    var time = patience
    while let more = try? readBytes(from: descriptor, atMost: 4096), !more.isEmpty {
      bytes += more
      for message in GuardianMessage.take(from: &bytes) {
        switch message {
        case .watch(let socket): sockets.insert(socket)
        case .release(let socket): sockets.remove(socket)
        case .hurry: time = briefPatience
        case .farewell: return
        }
      }
    }
    restore(Array(sockets), within: time)
  }

  /// After a crash a server may be as busy as the machine.
  private static let patience = Duration.seconds(10)
  /// After an orderly end the monitor has waited already, and a service manager waits for both.
  private static let briefPatience = Duration.seconds(2)

  /// Restores servers, all at once: one that is stopped holds up no other. A server that is gone has taken its lines with it; one that
  /// does not answer in time keeps them, with what is needed to undo them, for the next monitor.
  ///
  /// - Parameter time: for all of it.
  package static func restore(_ sockets: [String], within time: Duration) {
    let end = try? BootTimer()
    end?.arm(BootClock.now + time)
    let group = DispatchGroup()
    for server in sockets.map(TmuxServer.init(socket:)) where server.isListening {
      DispatchQueue(label: "overline.guardian").async(group: group) {
        do throws(TmuxError) {
          try server.restoreSaved(until: end)
        } catch  where error.code == .failed {
          // Something else ran in it meanwhile, perhaps; nothing else tries again.
          _ = try? server.restoreSaved(until: end)
        } catch {}
      }
    }
    group.wait()
  }
}
