internal import Dispatch
internal import POSIX

/// The other side of ``GuardianProcess``: what the hidden verb of the executable runs.
public enum Guardian {
  /// Blocks until the monitor says farewell, or until the pipe closes without: then the monitor has died, and so has every tmux
  /// client it was running, since those hold the pipe too. Then every server that had a line gets it restored.
  ///
  /// - Parameter descriptor: the pipe's reading end.
  public static func run(descriptor: Int32 = 0) {
    var sockets: Set<String> = []
    var bytes: [UInt8] = []
    while let more = try? readBytes(from: descriptor, atMost: 4096), !more.isEmpty {
      bytes += more
      for message in GuardianMessage.take(from: &bytes) {
        switch message {
        case .watch(let socket): sockets.insert(socket)
        case .release(let socket): sockets.remove(socket)
        case .farewell: return
        }
      }
    }
    restore(Array(sockets))
  }

  /// Restores servers, all at once: one that is stopped holds up no other. A server that is gone has taken its lines with it.
  public static func restore(_ sockets: [String]) {
    let group = DispatchGroup()
    for socket in sockets {
      DispatchQueue(label: "overline.guardian").async(group: group) {
        let server = TmuxServer(socket: socket)
        do throws(TmuxError) {
          try server.restoreSaved()
        } catch  where error.code == .failed {
          // Too busy to answer in time, perhaps; there is no one to tell, and no one else to try again.
          _ = try? server.restoreSaved()
        } catch {}
      }
    }
    group.wait()
  }
}
