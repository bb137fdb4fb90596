internal import ArgumentParser
internal import Overline
internal import OverlineCore
internal import OverlineShell
internal import OverlineSystem

struct DoctorCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "doctor",
    abstract: "Check what overline needs, and print what to do.",
    discussion: """
      Prints each finding: ok, note (could be better, or optional and missing) or problem. Exits with 1 if there is a problem. Run it in \
      the terminal, or inside the tmux, that you ask about. In a pipe and with --quiet, each finding is one line that begins with its word.
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
        let capabilities = options.capabilities(isTerminal: isTerminal(1))
        let report = DoctorReport(
          findings: options.quiet ? findings.filter { $0.verdict == .problem } : findings,
          columns: WindowSize(of: 1)?.known?.columns ?? 80, capabilities: capabilities)
        let isForPeople = isTerminal(1) && !options.quiet
        for line in report.lines(isTerminal: isForPeople) { try Output.line(line) }
      }
      return findings.contains { $0.verdict == .problem } ? .problem : .success
    }
  }
}
