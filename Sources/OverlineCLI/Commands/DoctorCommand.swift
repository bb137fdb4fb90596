internal import ArgumentParser
internal import OverlineObservers

struct DoctorCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "doctor",
    abstract: "Check everything that overline needs, and print what to do.",
    discussion: """
      Prints a line for each finding: ok, note (could be better, or optional and missing) or problem. Exits with 1 if there is a \
      problem. Run it in the terminal, or inside the tmux, that you ask about.
      """)

  @Flag(help: "Print JSON.")
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
