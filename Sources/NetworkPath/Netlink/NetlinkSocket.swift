internal import COverline
internal import COverlineNetlink
internal import OverlineSystem

/// A netlink socket, made by libnl, with its own receive buffer.
@safe
struct NetlinkSocket: ~Copyable {
  private let socket: OpaquePointer
  private let buffer: UnsafeMutableRawBufferPointer

  /// Larger than any datagram the kernel makes for us (32 KiB parts of a dump).
  private static let bufferSize = 64 * 1024

  /// - Parameter family: the kernel's part to talk to (netlink(7)).
  init(_ family: Int32 = NETLINK_ROUTE) throws(NetlinkError) {
    errno = 0
    guard let socket = unsafe nl_socket_alloc() else {
      throw NetlinkError(code: ENOMEM, attempt: "make a netlink socket")
    }
    // One message answers a question, so no acknowledgement is needed.
    unsafe nl_socket_disable_auto_ack(socket)
    let result = unsafe nl_connect(socket, family)
    guard result >= 0 else {
      unsafe nl_socket_free(socket)
      throw NetlinkError.ofLibnl("open a netlink socket")
    }
    let connected = unsafe csystem_netlink_connect(nl_socket_get_fd(socket))
    guard connected >= 0 else {
      unsafe nl_socket_free(socket)
      throw NetlinkError(code: -connected, attempt: "connect a netlink socket to the kernel")
    }
    unsafe buffer = .allocate(byteCount: Self.bufferSize, alignment: 16)
    unsafe self.socket = socket
  }

  deinit {
    unsafe nl_socket_free(socket)
    unsafe buffer.deallocate()
  }

  var descriptor: Int32 { unsafe nl_socket_get_fd(socket) }

  func join(_ group: Int) throws(NetlinkError) {
    errno = 0
    let result = unsafe nl_socket_add_membership(socket, Int32(group))
    guard result >= 0 else { throw NetlinkError.ofLibnl("listen to netlink group \(group)") }
  }

  /// `setsockopt(2)` at `SOL_NETLINK`; the error of an older kernel without the option is ignored.
  func enable(_ option: Int32) {
    var one: Int32 = 1
    _ = unsafe setsockopt(descriptor, SOL_NETLINK, option, &one, socklen_t(MemoryLayout<Int32>.size))
  }

  /// Requests a receive buffer of this many bytes. Only root can exceed the system's limit.
  func reserve(receiveBuffer bytes: Int32) {
    var size = bytes
    let length = socklen_t(MemoryLayout<Int32>.size)
    if unsafe setsockopt(descriptor, SOL_SOCKET, SO_RCVBUFFORCE, &size, length) < 0 {
      _ = unsafe setsockopt(descriptor, SOL_SOCKET, SO_RCVBUF, &size, length)
    }
  }

  /// Sends a message that libnl built; returns its sequence number.
  func send(_ message: borrowing Message) throws(NetlinkError) -> UInt32 {
    errno = 0
    let result = unsafe nl_send_auto(socket, message.pointer)
    guard result >= 0 else { throw NetlinkError.ofLibnl("ask the kernel") }
    return message.sequence
  }

  /// Reads one datagram without waiting. Skips a datagram that is not from the kernel: any process with rights over the network can send
  /// one. A skipped datagram counts, so that a flood does not keep the reader here.
  func receive(_ body: (UnsafeRawBufferPointer) -> Void) throws(NetlinkError) -> NetlinkReceipt {
    while true {
      var port: UInt32 = 0
      var truncated: Int32 = 0
      let length = unsafe csystem_netlink_receive(descriptor, buffer.baseAddress!, buffer.count, &port, &truncated)
      switch length {
      case Int(-EAGAIN): return .nothing
      case Int(-EINTR): continue
      case Int(-ENOBUFS): return .lost
      case ..<0: throw NetlinkError(code: Int32(-length), attempt: "read from the kernel")
      default: break
      }
      if port != 0 { return .datagram }
      if truncated != 0 { return .lost }
      unsafe body(UnsafeRawBufferPointer(start: buffer.baseAddress, count: length))
      return .datagram
    }
  }
}

/// A request that libnl builds.
@safe
struct Message: ~Copyable {
  let pointer: OpaquePointer

  /// Bytes: a header, a family header and a few attributes.
  private static let capacity = 256

  /// A message of this type with these flags. It begins with a family header.
  ///
  /// - Parameter room: bytes for a long attribute.
  init<Header: BitwiseCopyable>(_ type: Int, flags: Int32, header: Header, room: Int = 0) throws(NetlinkError) {
    // libnl's default size is a page, and libnl clears it for every question.
    guard let pointer = unsafe nlmsg_alloc_size(Self.capacity + room) else {
      throw NetlinkError(code: ENOMEM, attempt: "build a netlink message")
    }
    guard unsafe nlmsg_put(pointer, UInt32(NL_AUTO_PORT), UInt32(NL_AUTO_SEQ), Int32(type), 0, flags) != nil else {
      unsafe nlmsg_free(pointer)
      throw NetlinkError(code: ENOMEM, attempt: "build a netlink message")
    }
    var header = header
    let result = unsafe nlmsg_append(pointer, &header, MemoryLayout<Header>.size, Int32(NLMSG_ALIGNTO))
    guard result >= 0 else {
      unsafe nlmsg_free(pointer)
      throw NetlinkError(code: ENOMEM, attempt: "build a netlink message")
    }
    unsafe self.pointer = pointer
  }

  deinit { unsafe nlmsg_free(pointer) }

  /// The message's current bytes. Sending fills in the open fields.
  var bytes: [UInt8] {
    let header = unsafe nlmsg_hdr(pointer)
    return unsafe Array(UnsafeRawBufferPointer(start: header, count: Int(header!.pointee.nlmsg_len)))
  }

  var sequence: UInt32 { unsafe nlmsg_hdr(pointer).pointee.nlmsg_seq }

  func put(_ type: UInt32, _ value: UInt32) {
    unsafe nla_put_u32(pointer, Int32(type), value)
  }

  func put(_ type: UInt32, _ bytes: [UInt8]) {
    _ = unsafe bytes.withUnsafeBytes { unsafe nla_put(pointer, Int32(type), Int32($0.count), $0.baseAddress) }
  }
}
