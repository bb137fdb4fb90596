package import NetworkPath

/// The figures of one connection of a window's program.
package struct ProgramSample: Equatable, Sendable {
  /// The name of the process that has the connection.
  package var program: String
  package var sample: QualitySample

  package init(program: String, sample: QualitySample) {
    self.program = program
    self.sample = sample
  }
}

/// A look at a program's connections: whether they are answered, and how quickly.
package struct ProgramLook: Equatable, Sendable {
  package var answer: ProgramAnswer
  package var samples: [ProgramSample]

  package init(_ answer: ProgramAnswer, samples: [ProgramSample] = []) {
    self.answer = answer
    self.samples = samples
  }
}

/// What a look at a program's connections found.
package enum ProgramAnswer: Equatable, Sendable {
  /// The other ends have acknowledged everything, or nothing is known: a program without connections, or one of another user.
  case acknowledged
  /// Data is on its way, and its acknowledgement is not late.
  case underway
  /// Data was sent again at least twice, in vain, or the kernel has tried in vain at least twice to send it.
  case stalled(Stall)

  package struct Stall: Equatable, Sendable {
    /// The name of the process that has the connection.
    var program: String
    /// The time since the data was sent first, or was to be sent.
    var age: Duration
    /// The time since the last acknowledgement or data from the other end.
    var heardAge: Duration
    /// How often the data was sent again. If it has not left this machine: how often the kernel has tried to send it.
    var retransmits: Int
    /// Whether the data has not left this machine: a filter or a policy of the machine stops it.
    var isUnsent = false
  }

  /// - Parameter found: the connections that were found, each with the name of its program. The oldest stall decides.
  package init(_ found: [(connection: TCPConnection, program: String)]) {
    let stalls = found.compactMap { connection, program -> Stall? in
      if let age = connection.unsentAge {
        return Stall(
          program: program, age: age, heardAge: max(age, connection.heardAge ?? .zero), retransmits: connection.probes,
          isUnsent: true)
      }
      return connection.stallAge.map {
        Stall(
          program: program, age: $0, heardAge: max($0, connection.heardAge ?? .zero),
          retransmits: connection.retransmits)
      }
    }
    let oldest = stalls.max { $0.age < $1.age }
    let isUnderway = found.contains { $0.connection.awaitsAcknowledgement || $0.connection.holdsUnsentData }
    self = oldest.map(Self.stalled) ?? (isUnderway ? .underway : .acknowledged)
  }
}
