internal import OverlineCore
internal import OverlineShell
internal import OverlineSystem

/// The forms of commands that programs call: startup files, prompts, plugins, services and the monitor itself.
enum PlainCommands {
  /// Runs the command if its arguments have a plain form; returns false to leave it to the parser.
  static func run(_ arguments: [String]) -> Bool {
    if arguments.isEmpty, isTerminal(1) {
      finish { try FirstSteps.run() }
    } else if arguments.isEmpty || [["help"], ["--help"], ["-h"]].contains(arguments) {
      finish {
        try Output.line(OverlineCommand.overview)
        return .success
      }
    } else if [["--version"], ["-V"]].contains(arguments) {
      finish {
        try Output.line(Version.text)
        return .success
      }
    } else if arguments == [HiddenVerbs.guardian] {
      Processor.nameThread(Guardian.name)
      Guardian.run()
    } else if arguments == [CleanUp.verb] {
      finish { CleanUp.run() }
    } else if arguments.first == HiddenVerbs.prompt {
      TmuxPopup.runPrompt(Array(arguments.dropFirst()))
    } else if arguments == ["monitor"] {
      finish { try Monitor.run(options: .defaults) }
    } else if arguments == ["status"] {
      finish { try StatusCommand.run(.text, path: CommonOptions.defaults.configuration().path) }
    } else if arguments.dropLast() == ["status", "--format"], let format = ObserverFormat(rawValue: arguments[2]) {
      finish { try StatusCommand.run(format, path: CommonOptions.defaults.configuration().path) }
    } else if arguments.dropLast() == ["tmux", "attach", "--server"] {
      finish { try TmuxAttach.run(socket: arguments[3], options: .defaults) }
    } else if arguments.first == "wait", let timeout = WaitCommand.plainTimeout(arguments.dropFirst()) {
      finish { try WaitCommand.run(.defaults, timeout: timeout) }
    } else if let command = command(of: arguments) {
      finish {
        try RunWindow.run(
          Array(ProcessEnvironment.platformArguments.suffix(command.count)), shell: LoginShell(nil, isLogin: false),
          options: .defaults)
      }
    } else {
      return false
    }
    return true
  }

  /// The program of `run`, if no option precedes it.
  private static func command(of arguments: [String]) -> [String]? {
    guard arguments.first == "run" else { return nil }
    let command = arguments.dropFirst()
    if command.first == "--" { return Array(command.dropFirst()) }
    return command.first?.hasPrefix("-") == true ? nil : Array(command)
  }

  static func finish(_ body: () throws -> ExitStatus) -> Never {
    do {
      exitProcess(try body().rawValue)
    } catch {
      exitProcess(report(error).rawValue)
    }
  }
}
