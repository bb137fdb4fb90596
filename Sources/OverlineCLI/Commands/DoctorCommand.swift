internal import ArgumentParser
internal import OverlineObservers

struct DoctorCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "doctor",
    abstract: "Check everything that overline needs, and say what to do.",
    discussion: """
      A line for each finding: ok, note (something could be better, or is not there and need not be) or problem. Exits with 1 when \
      there is a problem. Run it in the terminal, and inside the tmux, that it is about.
      """)

  @Flag(help: "As JSON.")
  var json = false

  @OptionGroup var options: CommonOptions

  func run() throws {
    try finish {
      let findings = Examination(options: options).findings()
      if json {
        try Output.line(JSONValue.array(findings.map(\.json)).json)
      } else {
        for finding in findings where !options.quiet || finding.verdict == .problem {
          try Output.sentence(finding.line)
        }
      }
      return findings.contains { $0.verdict == .problem } ? .problem : .success
    }
  }
}
