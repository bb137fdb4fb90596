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

  mutating func validate() throws {
    if json { format = .json }
    if !icon.isEmpty, !format.isBar {
      let bars = ObserverFormat.allCases.filter(\.isBar).map(\.rawValue).joined(separator: ", ")
      throw ValidationError("--icon needs the format of a bar: \(bars).")
    }
  }

  /// The format to ask the monitor for. It formats the lines of bars without an icon.
  var asked: ObserverFormat { icon.isEmpty ? format : .json }

  /// The monitor's lines in the user's format.
  func lines(_ bytes: [UInt8]) throws -> [UInt8] {
    if icon.isEmpty { return bytes }
    var lines: [UInt8] = []
    for line in bytes.split(separator: 0x0a) {
      do throws(ProtocolError) {
        lines += format.line(try ObserverState(jsonLine: line), icon: icon)
      } catch {
        throw ObserverSocketError(.badAnswer, "the monitor's line is not a state: \(error.message)")
      }
    }
    return lines
  }
}

extension ObserverFormat: ExpressibleByArgument {}

extension ObserverState {
  /// The state directly from the kernel, without a monitor and therefore without a banner.
  static func straight(from path: NWPath) -> ObserverState {
    let now = WallTime.now.rfc3339
    var state = ObserverState(
      seq: 0, time: now, since: now, path: path, phase: .hidden, appearance: nil, inset: BannerInset())
    // Windows are quiet without a monitor too.
    let quiet = (try? RuntimeDirectory.locate()).flatMap { QuietReader($0).period() }
    state.paused = quiet.map(Pause.init)
    return state
  }
}
