internal import ArgumentParser
internal import NetworkPath
internal import Overline
public import OverlineCore
internal import OverlineProcess
internal import OverlineShell
internal import OverlineSystem

/// The output format of a state.
struct FormatOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp("The output format.", valueName: "format"))
  var format: ObserverFormat = .text

  @Flag(help: "The same as --format json.")
  var json = false

  @Option(help: ArgumentHelp("What a bar shows while no banner does, whatever the reason.", valueName: "text"))
  var icon = ""

  @Flag(help: "Add how good the connection is: overline quality. Looks at the TCP connections.")
  var quality = false

  mutating func validate() throws {
    if json { format = .json }
    if !icon.isEmpty, !format.isBar {
      let bars = ObserverFormat.allCases.filter(\.isBar).map(\.rawValue).joined(separator: ", ")
      throw ValidationError("--icon needs the format of a bar: \(bars).")
    }
  }

  /// Whether the monitor formats the lines. It knows neither the icon nor the quality.
  private var isMonitors: Bool { icon.isEmpty && !quality }

  /// The format to ask the monitor for.
  var asked: ObserverFormat { isMonitors ? format : .json }

  /// Writes the monitor's lines in the user's format.
  func write(_ bytes: [UInt8], _ measured: MeasuredQuality?) throws {
    if isMonitors { return try Output.write(bytes) }
    for line in bytes.split(separator: 0x0a) {
      let state: ObserverState
      do throws(ProtocolError) {
        state = try ObserverState(jsonLine: line)
      } catch {
        throw ObserverSocketError(.badAnswer, "the monitor's line is not a state: \(error.message)")
      }
      try write(state, measured)
    }
  }

  func write(_ state: ObserverState, _ measured: MeasuredQuality?) throws {
    if let measured { try measured.pass(state) } else { try Output.write(format.line(state, icon: icon)) }
  }
}

extension ObserverFormat: ExpressibleByArgument {}

extension ObserverState {
  /// The state directly from the kernel, without a monitor and therefore without a banner.
  static func straight(from path: NWPath) -> ObserverState {
    let now = WallTime.now.rfc3339
    var state = ObserverState(
      seq: 0, time: now, since: now, path: path, phase: .hidden, appearance: nil, inset: TerminalInsets())
    // Windows are quiet without a monitor too.
    let quiet = (try? RuntimeDirectory.locate()).flatMap { QuietReader($0).period() }
    state.paused = quiet.map(Pause.init)
    return state
  }
}
