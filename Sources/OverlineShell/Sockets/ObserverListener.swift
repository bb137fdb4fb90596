package import OverlineProcess
internal import OverlineSystem

/// A listening socket for observers. This process made it, or the service manager did before it started this process.
package struct ObserverListener: ~Copyable, Sendable {
  let socket: FileDescriptor
  let path: String
  /// True if the service manager made the socket: it keeps listening after this process, and owns the file.
  let isInherited: Bool
  private let identity: Files.Attributes.Identity?

  /// Listens at `path`, which must be free (``MonitorLock`` ensures it), with mode 0600.
  package init(path: String) throws(ObserverSocketError) {
    try checkSocketPath(path)
    let socket: FileDescriptor
    do { socket = try UnixSocket.listen(at: path) } catch {
      throw ObserverSocketError(error, remedy: Self.remedy(for: error, path))
    }
    self.socket = socket
    self.path = path
    isInherited = false
    identity = Self.identity(of: path)
  }

  private init(inherited socket: consuming FileDescriptor, path: String) {
    self.socket = socket
    self.path = path
    isInherited = true
    identity = Self.identity(of: path)
  }

  private static func identity(of path: String) -> Files.Attributes.Identity? {
    (try? Files.attributes(path))?.identity
  }

  /// Whether clients that connect to the path reach this socket. The file may have been removed, and another monitor may listen there.
  var isCurrent: Bool { identity != nil && Self.identity(of: path) == identity }

  /// Removes the file, unless it belongs to the service manager or now to another monitor.
  func removeFile() {
    if !isInherited, isCurrent { try? Files.remove(path) }
  }

  /// The name of the socket in `config/overline.socket`.
  package static let name = "monitor"

  /// The socket that the service manager has opened for a monitor that listens at `path`; nil when there is none. Closes all other passed
  /// descriptors.
  package static func inherited(
    _ service: ServiceEnvironment, path: String
  ) throws(ObserverSocketError) -> ObserverListener? {
    let names = service.listeners
    guard let index = names.firstIndex(of: name) ?? (names.count == 1 ? 0 : nil) else { return nil }
    for other in names.indices where other != index { _ = FileDescriptor(owning: firstDescriptor + Int32(other)) }
    let descriptor = firstDescriptor + Int32(index)
    let listener: ObserverListener
    do {
      let socket = try UnixSocket.adopt(descriptor)
      listener = ObserverListener(inherited: socket, path: try UnixSocket.path(of: descriptor))
    } catch {
      throw ObserverSocketError(error)
    }
    guard listener.path == path else {
      throw ObserverSocketError(
        .cannotWrite,
        "the service manager listens at \(listener.path), and observers look for the monitor at \(path); correct ListenStream= in overline.socket"
      )
    }
    return listener
  }

  /// sd_listen_fds(3): SD_LISTEN_FDS_START.
  private static let firstDescriptor: Int32 = 3

  private static func remedy(for error: SystemError, _ path: String) -> String? {
    if error.isNoSpace { return "free some space there" }
    if error.isPermissionDenied || error.isReadOnly || error.isNoSuchFile {
      return "name a directory that exists and that you can write, with XDG_RUNTIME_DIR or --socket"
    }
    return nil
  }
}

extension Optional where Wrapped == ObserverListener {
  var rawValue: Int32? {
    switch self {
    case .some(let listener): listener.socket.rawValue
    case .none: nil
    }
  }

  var isInherited: Bool {
    switch self {
    case .some(let listener): listener.isInherited
    case .none: false
    }
  }

  var isCurrent: Bool {
    switch self {
    case .some(let listener): listener.isCurrent
    case .none: false
    }
  }
}
