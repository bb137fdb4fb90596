internal import COverline

/// A terminal's size in cells and, if known, in pixels (`struct winsize` of ioctl_tty(2)).
package struct WindowSize: Equatable, Sendable {
  package var rows: Int
  package var columns: Int
  /// 0 when unknown, as in ``height``.
  package var width: Int
  package var height: Int

  package init(rows: Int, columns: Int, width: Int = 0, height: Int = 0) {
    self.rows = rows
    self.columns = columns
    self.width = width
    self.height = height
  }

  /// The size of the terminal on `descriptor`; zeros for an unknown size, nil for a descriptor that is not a terminal.
  package init?(of descriptor: Int32) {
    var size = csystem_window_size()
    guard unsafe csystem_get_window_size(descriptor, &size) == 0 else { return nil }
    self.init(rows: Int(size.rows), columns: Int(size.columns), width: Int(size.width), height: Int(size.height))
  }

  /// Nil when the size is unknown.
  package var known: WindowSize? { rows > 0 && columns > 0 ? self : nil }

  /// Sets the size of a pseudoterminal. If the size changes, the kernel sends the terminal's foreground process group a `SIGWINCH`.
  package func set(_ descriptor: Int32) throws(SystemError) {
    let size = csystem_window_size(
      rows: UInt16(clamping: rows), columns: UInt16(clamping: columns), width: UInt16(clamping: width),
      height: UInt16(clamping: height))
    try checkedNegative("set a terminal's size") { csystem_put_window_size(descriptor, size) }
  }
}

/// A terminal's attributes: how the kernel treats typed and printed bytes (termios(3)).
package struct TerminalAttributes: Sendable {
  private var modes: termios

  package init(of descriptor: Int32) throws(SystemError) {
    modes = termios()
    let read = unsafe tcgetattr(descriptor, &modes)
    if read < 0 { throw .current("read a terminal's modes") }
  }

  /// Bytes pass unchanged (cfmakeraw(3)).
  package var raw: TerminalAttributes {
    var raw = self
    unsafe cfmakeraw(&raw.modes)
    return raw
  }

  /// Each key arrives at once and is not shown; the keys for signals keep their meaning.
  package var keywise: TerminalAttributes {
    var keywise = self
    keywise.modes.c_lflag &= ~tcflag_t(ICANON | ECHO)
    keywise.modes.c_cc.6 = 1  // VMIN
    keywise.modes.c_cc.5 = 0  // VTIME
    return keywise
  }

  /// Signal handlers restore these attributes on the terminal before a signal ends or stops the process (``TerminalGuard``).
  package func guarding(_ descriptor: Int32) {
    var modes = modes
    unsafe csystem_guard_modes(descriptor, &modes)
  }

  package static func unguard() { csystem_unguard_modes() }

  /// The attributes that a shell expects: line mode, echo and signals by keys. Characters, speed and IUTF8 stay.
  package var sane: TerminalAttributes {
    var sane = self
    sane.modes.c_iflag &= ~tcflag_t(IGNBRK | INLCR | IGNCR | IXOFF | ISTRIP | INPCK | PARMRK | IUCLC)
    sane.modes.c_iflag |= tcflag_t(BRKINT | ICRNL | IXON | IMAXBEL)
    sane.modes.c_oflag &= ~tcflag_t(OCRNL | ONOCR | ONLRET | OLCUC | OFILL)
    sane.modes.c_oflag |= tcflag_t(OPOST | ONLCR)
    sane.modes.c_cflag &= ~tcflag_t(PARENB | CSIZE)
    sane.modes.c_cflag |= tcflag_t(CREAD | CS8)
    sane.modes.c_lflag &= ~tcflag_t(ECHONL | NOFLSH | TOSTOP | ECHOPRT | FLUSHO)
    sane.modes.c_lflag |= tcflag_t(ISIG | ICANON | IEXTEN | ECHO | ECHOE | ECHOK | ECHOCTL | ECHOKE)
    // These two apply only without ICANON. On some systems they share their places with VEOF and VEOL, but not on Linux.
    sane.modes.c_cc.6 = 1  // VMIN
    sane.modes.c_cc.5 = 0  // VTIME
    return sane
  }

  /// Applies the attributes without waiting for output to drain (`TCSANOW`). If the process group is in the background, this stops it until
  /// it is in the foreground (`SIGTTOU`).
  package func apply(to descriptor: Int32) throws(SystemError) {
    try checkedNegative("set a terminal's modes") {
      var modes = modes
      return unsafe csystem_set_terminal_attributes(descriptor, &modes)
    }
  }

  /// Discards typed input that no process has read yet (`TCIFLUSH`).
  package static func discardTyped(_ descriptor: Int32) {
    _ = tcflush(descriptor, TCIFLUSH)
  }

  /// Applies the attributes to a terminal that is not yet a session's controlling terminal: there the kernel sends no `SIGTTOU`.
  package func applyWithoutSIGTTOU(to descriptor: Int32) throws(SystemError) {
    try checked("set a terminal's modes") {
      var modes = modes
      return Int(unsafe tcsetattr(descriptor, TCSANOW, &modes))
    }
  }
}

/// The terminal that this process runs in.
package enum OwnTerminal {
  /// Whether two descriptors belong to the same terminal, even if one of them is `/dev/tty`.
  package static func isSame(_ first: Int32, _ second: Int32) -> Bool {
    var one: UInt32 = 0
    var other: UInt32 = 0
    guard unsafe csystem_terminal_device(first, &one) == 0, unsafe csystem_terminal_device(second, &other) == 0 else {
      return false
    }
    return one == other
  }

  /// Whether this process leads its session: a terminal has started it, or it has replaced a login shell.
  package static var leadsSession: Bool { sessionLeader == getpid() }

  /// The process that leads this process's session.
  package static var sessionLeader: Int32 { getsid(0) }

  /// Whether this process leads a job of a shell, as a command that was typed does. A program that a terminal, tmux or a script starts does
  /// not.
  package static var leadsJob: Bool { getpgrp() == getpid() && !leadsSession }

  /// The controlling terminal; nil for a process without one.
  package static func open() -> FileDescriptor? {
    let opened = unsafe Glibc.open("/dev/tty", O_RDWR | O_CLOEXEC)
    return opened < 0 ? nil : FileDescriptor(owning: opened)
  }

  /// Opens the terminal on `descriptor` again, non-blocking. `O_NONBLOCK` belongs to the open file, and this process shares that file with
  /// others, such as its shell. Nil if the terminal cannot be opened, as after su(1).
  package static func reopen(_ descriptor: Int32) -> FileDescriptor? {
    let opened = unsafe Glibc.open("/proc/self/fd/\(descriptor)", O_RDWR | O_NOCTTY | O_NONBLOCK | O_CLOEXEC)
    if opened < 0 { return nil }
    return FileDescriptor(owning: opened)
  }

  /// Whether this process group is in the terminal's foreground; true for a terminal that is not our controlling terminal.
  package static func isForeground(_ descriptor: Int32) -> Bool {
    let group = tcgetpgrp(descriptor)
    return group < 0 || group == getpgrp()
  }
}
