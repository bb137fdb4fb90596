import OverlineProcess
import OverlineTestSupport
import OverlineSystem
import OverlineTestThread
import Testing

/// A typing error in `--config FILE` must not go unnoticed because a monitor answers instead.
@Suite(.ownThread) struct NamedConfigurationTests {
  /// These read no configuration: they repair a terminal, name or write a file, and print completions and lines for startup files.
  private static let doWithout: Set = [["reset"], ["config", "path"], ["config", "init"], ["completions"], ["setup"]]
  private static let needText: Set = [["toast"], ["alert"], ["banner", "present"], ["pause"]]

  @Test(arguments: CommandTreeTests.actions().filter { !doWithout.contains($0) })
  func aFileThatCannotBeUsedIsAnErrorOfEachCommand(_ command: [String]) throws {
    let world = try World()
    let monitor = try world.startMonitor()
    try Files.replace("\(world.folder)/bad.toml", with: Array("[banner]\nmoton = \"on\"\n".utf8))
    for (file, words) in [
      ("\(world.folder)/missing.toml", "missing.toml: No such file or directory"),
      ("\(world.folder)/bad.toml", "bad.toml:2:1: banner.moton: is not a key of [banner]; did you mean \"motion\"?"),
    ] {
      // Without a program, `run` starts the shell even so.
      let arguments =
        command + (Self.needText.contains(command) ? ["text"] : []) + ["--config", file]
        + (command == ["run"] ? ["true"] : [])
      let result = try world.namespace.inside {
        try Subprocess.run(World.executable, arguments, environment: world.environment, timeout: .seconds(10))
      }
      // The doctor lists the error among its findings.
      #expect(result.status == (command == ["doctor"] ? 1 : 78), "\(command)")
      #expect((result.outputText + result.errorText).contains(words), "\(command) \(result)")
    }
    #expect(monitor.end(.terminate) == 0)
  }
}
