internal import OverlineSystem
internal import OverlineTestKit

extension BenchWorld {
  /// Rounds that are not counted: they warm up every program's memory.
  private static let warmUp = 5

  /// Microseconds from the link's end to each program's first output.
  ///
  /// - Parameter restore: restores whatever the link's end removed beside its default route.
  func linkSamples(
    _ programs: [PipedProgram], rounds: Int, restore: () throws -> Void = {}
  ) throws -> [Sample] {
    let race = try Race(programs)
    try race.settle(.milliseconds(500))
    var samples = [Sample](repeating: Sample(), count: programs.count)
    for round in 0..<Self.warmUp + rounds {
      let times = try race.firstWords(after: { try self.goDown() })
      try race.settle()
      try goUp()
      try restore()
      try race.settle()
      guard round >= Self.warmUp else { continue }
      for (program, time) in times.enumerated() {
        guard let time else {
          throw TestKitError("program \(program) of \(programs.count) said nothing within a second of a link's end")
        }
        samples[program].add(time.microseconds)
      }
    }
    return samples
  }
}
