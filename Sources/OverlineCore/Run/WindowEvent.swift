package import Overline

/// An event that the pump reports to ``WindowMachine``. Large values are indirect, since most events need only a few bytes.
package enum WindowEvent: Equatable, Sendable {
  /// The window opens, before its program starts. The values are what is known by then.
  case opened([WindowRequest])
  /// The program runs; its terminal has the size of ``WindowMachine/programSize``.
  /// - Parameter title: the program's name, if the terminal started this process and would show this process's name; otherwise nil.
  case programStarted(title: String?)
  /// The program could not be started.
  case programFailed

  /// The terminal sent these bytes.
  case typed([UInt8])
  /// The terminal sent these bytes, and the pump has written them to the program, since ``WindowMachine/passesText`` was true and no ESC is
  /// among them.
  case typedText([UInt8])
  /// The terminal accepted all bytes that were written.
  case drained
  /// The terminal has hung up.
  case terminalLost
  /// The terminal has this size, or may have moved its content (SIGWINCH); nil when it is gone.
  case resized(TerminalSize?)

  /// The program printed these bytes.
  case printed([UInt8])
  /// The program printed these bytes, and the pump has written them, since ``WindowMachine/passesOutput`` was true.
  ///
  /// - Parameter isAccepted: whether the terminal has accepted all of them. If not, ``drained`` follows.
  case passed([UInt8], isAccepted: Bool)
  /// No more output of the program waits to be read.
  case paused
  /// No process has the program's terminal open any more.
  case outputClosed
  case programStopped
  case programEnded(WindowEnd)
  /// The helper ended without a report of the program's end.
  case helperLost
  /// The answer to ``WindowEffect/lookForProgram``.
  case programSeen(isAlive: Bool)

  /// The answer to ``WindowEffect/lookAtConnections(isFirst:)``.
  indirect case connectionsSeen(ProgramLook)

  /// Another process sent a signal that is meant for the program.
  case signaled(ProgramSignal)
  /// A signal that ends this process.
  case endRequested(signal: Int32)
  /// This process continues after ``WindowEffect/stop``.
  case resumed(hasStopped: Bool)
  /// SIGCONT.
  ///
  /// - Parameter isTerminalShared: a shell may have used the terminal meanwhile. False if this process leads its session.
  case continued(isTerminalShared: Bool)

  indirect case requested(WindowRequest)
  /// The clock may have reached ``WindowMachine/nextDeadline``.
  case deadlineReached
}

/// An action for the pump, which performs actions in the order of their list.
package enum WindowEffect: Equatable, Sendable {
  /// Send bytes to the terminal, then report ``WindowEvent/drained``.
  case write([UInt8])
  /// Like `write`, except while another process is in the terminal's foreground.
  case repair([UInt8])
  /// Drop the bytes that the terminal has not accepted.
  case discardOutput
  /// Send bytes to the program.
  case type([UInt8])
  /// Drop the bytes that the program has not read.
  case discardInput
  /// Note that the user typed: commands look for the window that was used last.
  case noteInput
  /// Ask the scheduler for short slices, or for the usual ones.
  case setSlices(isShort: Bool)
  /// The program paused: take over its working directory, in which terminals open a new tab.
  case followDirectory

  /// Make the terminal raw; waits while this process is in the background.
  case makeRaw
  /// Restore the terminal and stop the process group, then report ``WindowEvent/resumed(hasStopped:)``.
  case stop

  case resizeProgram(TerminalSize)
  case signalProgram(ProgramSignal)
  /// Send SIGWINCH: the program's terminal has kept its size while the content moved.
  case signalResize
  /// Make the helper send SIGHUP to the program and kill it five seconds later.
  case hangUpProgram
  /// End the rest of the program without its helper.
  case abandonProgram(killing: Bool)
  case resumeProgram
  /// Report ``WindowEvent/programSeen(isAlive:)``.
  case lookForProgram
  /// Report ``WindowEvent/connectionsSeen(_:)``; the first look finds the connections that later ones read.
  case lookAtConnections(isFirst: Bool)

  /// Return free heap memory to the kernel: the last overlay has gone, and the window needs little until the next.
  case releaseMemory
  /// Start the sources of events.
  case begin
  /// Report the end of a toast or an alert.
  indirect case complete(OverlayEffect)
  indirect case publish(WindowStatus)
}

/// A signal that a window forwards to its program, by its number on x86 and ARM (signal(7)).
package enum ProgramSignal: Int32, Equatable, Sendable {
  case interrupt = 2
  case quit = 3
  case terminalStop = 20
}

/// The end of a program.
package enum WindowEnd: Equatable, Sendable {
  case exited(Int32)
  case killed(signal: Int32)

  /// SIGHUP: the terminal is gone.
  static let hangUp: Int32 = 1
  static let hungUp = WindowEnd.killed(signal: hangUp)
}
