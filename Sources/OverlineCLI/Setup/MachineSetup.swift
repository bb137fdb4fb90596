internal import OverlineCore
internal import OverlineProcess
internal import OverlineSystem

/// Reads what `overline setup` must know of this machine.
enum MachineSetup {
  /// Nil for a program that is not installed.
  static func read() -> Setup? {
    let home = UserFolders().home ?? "/nonexistent"
    let prefix = prefix(of: ProcessEnvironment.executable)
    var facts = Setup.Facts(
      home: home, prefix: prefix, file: { text("\(home)/\($0)") },
      installed: { name in prefix.flatMap { text("\($0)/share/overline/\(name)") } })
    facts.searchPath = (ProcessEnvironment["PATH"] ?? "").split(separator: ":").map(String.init)
    facts.shell = ProcessEnvironment["SHELL"].flatMap {
      SetupShell(rawValue: String($0.split(separator: "/").last ?? ""))
    }
    func has(_ program: String) -> Bool { facts.searchPath.contains { Files.isExecutable("\($0)/\(program)") } }
    if facts.shell == .zsh, let answer = try? Subprocess.run("zsh", ["-fc", "print -l $fpath"], timeout: .seconds(5)) {
      facts.zshFunctions = answer.outputText.split(separator: "\n").map(String.init)
    }
    facts.terminal = SetupTerminal { ProcessEnvironment[$0] }
    facts.hasTmux = has("tmux")
    facts.hasStarship = has("starship")
    facts.bars = SetupBar.allCases.filter { has($0.program) }
    // As sd_booted(3) asks for the system's.
    facts.hasSystemd =
      has("systemctl") && ProcessEnvironment["XDG_RUNTIME_DIR"].map { Files.exists("\($0)/systemd") } ?? false
    return Setup(facts)
  }

  /// The folder above `bin`, if the installed files are there.
  private static func prefix(of program: String) -> String? {
    let folder = Files.folder(of: Files.folder(of: program))
    return Files.exists("\(folder)/share/overline/startup/program.sh") ? folder : nil
  }

  private static func text(_ path: String) -> String? {
    (try? Files.read(path)).map { String(decoding: $0, as: UTF8.self) }
  }
}
