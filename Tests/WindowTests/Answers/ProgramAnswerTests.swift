import OverlineSystem
import OverlineReferenceTerminal
import OverlineTestSupport
import OverlineTestThread
import OverlineWindowTestKit
import Testing

/// The notice that a program has no answer, with a real ssh in the window and a real sshd.
@Suite(.ownThread, .enabled(if: SecureShellWorld.canRun, SecureShellWorld.remedy))
struct ProgramAnswerTests {
  /// The server falls silent, a key has no answer, the notice counts, and the first answer ends it.
  private func expectNotice(_ shell: SecureShellWorld, _ window: TerminalScene, program: String = "ssh") throws {
    let before = window.text.count { $0.hasSuffix("ab") }
    let notice = "\(program): last answer"
    window.type("a")
    try window.wait("the echo") { $0.text.contains { $0.hasSuffix("a") } }
    try shell.silence()
    window.type("b")
    try window.wait("the notice", within: .seconds(4)) { $0.text[0].contains("\(notice) 3 s ago") }
    try window.wait(for: "\(notice) 5 s ago")
    #expect(window.text.count { $0.hasSuffix("ab") } == before)
    try shell.wake()
    try window.wait("the answer") { $0.text.count { $0.hasSuffix("ab") } == before + 1 }
    try window.waitUntilGone(notice)
    // The row is the program's again.
    try window.wait(for: "READY")
  }

  @Test func secureShell() throws {
    let shell = try SecureShellWorld()
    let window = try shell.window()
    try expectNotice(shell, window)
    // Once more.
    window.type("\r")
    try window.wait("two lines") { $0.text.count { $0 == "ab" } == 2 }
    try expectNotice(shell, window)
  }

  @Test func secureShellFromAShell() throws {
    let shell = try SecureShellWorld()
    let window = try shell.world.window("bash", "--norc", "--noprofile", "-i")
    try window.wait(for: "$")
    let command = (["ssh"] + shell.options + ["-t", SecureShellWorld.address]).joined(separator: " ")
    window.type("clear; \(command) \"\(SecureShellWorld.program)\"\r")
    try window.wait("the program") { $0.text[0] == "READY" }
    try expectNotice(shell, window)
  }

  /// Two ssh: the one on the terminal has no connection of its own.
  @Test func proxyJump() throws {
    let shell = try SecureShellWorld()
    try expectNotice(shell, shell.window(host: "jumped"))
  }

  /// The connection belongs to another ssh, outside of the window.
  @Test func controlMaster() throws {
    let shell = try SecureShellWorld()
    try withMaster(shell) { socket in try expectNotice(shell, shell.window(socket)) }
  }

  /// - Parameter body: called with the options of an ssh that uses the master's connection.
  private func withMaster(_ shell: SecureShellWorld, _ body: ([String]) throws -> Void) throws {
    let socket = ["-S", "\(shell.world.folder)/master"]
    func ssh(_ arguments: String...) throws {
      let result = try shell.world.namespace.inside {
        try Subprocess.run(
          "ssh", shell.options + socket + arguments + [SecureShellWorld.address],
          environment: shell.world.environment, timeout: .seconds(60))
      }
      #expect(result.status == 0, "\(result.errorText)")
    }
    // The descriptors of a background ssh: -f keeps standard error, which the caller would wait for.
    try ssh("-M", "-N", "-f", "-E", "\(shell.world.folder)/master.log")
    defer { try? ssh("-O", "exit") }
    try body(socket)
  }

  // MARK: - A slow connection

  /// Types until the row at the top says that ssh is slow, or no longer says so.
  private func type(into window: TerminalScene, untilShown isShown: Bool) throws {
    let isSeen = eventually {
      window.type("a")
      return eventually(within: .milliseconds(350)) { window.text[0].contains("ssh: slow, ") == isShown }
    }
    if !isSeen { throw TestKitError("waited in vain; there was:\n\(window.text.joined(separator: "\n"))") }
  }

  private func expectSlowness(_ shell: SecureShellWorld, _ window: TerminalScene) throws {
    shell.link?.set(SlowLink.Quality(delay: .milliseconds(400)))
    try type(into: window, untilShown: true)
    // At least 0.8 s, and more on a busy machine.
    #expect(window.text[0].contains(/ssh: slow, (0\.[89]|[1-3]\.\d) s round trip/), "\(window.text[0])")
    shell.link?.set(SlowLink.Quality(delay: .milliseconds(10)))
    try type(into: window, untilShown: false)
    // The row is the program's again.
    try window.wait(for: "READY")
  }

  @Test(.enabled(if: TunDevice.canBeMade, "COULD NOT RUN: no tun device can be made"))
  func aSlowConnection() throws {
    let shell = try SecureShellWorld(isSlow: true)
    try expectSlowness(shell, shell.window())
    try expectSlowness(shell, shell.window(host: "jumped"))
  }

  @Test(.enabled(if: TunDevice.canBeMade, "COULD NOT RUN: no tun device can be made"))
  func aSlowSharedConnection() throws {
    let shell = try SecureShellWorld(isSlow: true)
    try withMaster(shell) { socket in try expectSlowness(shell, shell.window(socket)) }
  }

  // MARK: - Other programs

  /// Sends each key to the server, and prints nothing.
  static let client = """
    exec 3<>/dev/tcp/\(SecureShellWorld.address)/\(SecureShellWorld.port); stty raw -echo
    """
  static let talk = "printf READY; exec cat >&3"

  @Test func aProgramWithAConnectionOfItsOwn() throws {
    let shell = try SecureShellWorld(configuration: "[answers]\nprogram = \"2s\"\n")
    let window = try shell.world.window("bash", "-c", "\(Self.client); \(Self.talk)")
    try window.wait(for: "READY")
    try shell.silence()
    window.type("a")
    try window.wait(for: "cat: last answer 2 s ago")
    // The network's banner comes first.
    try shell.world.pullTheCable()
    try window.waitForBanner()
    #expect(!window.text.contains { $0.contains("last answer") })
    try shell.world.plugTheCable()
    try window.wait(for: "cat: last answer")
    // An acknowledgement ends it, without any output.
    try shell.wake()
    try window.waitUntilGone("last answer")
  }

  @Test func theConfigurationIsFollowed() throws {
    let shell = try SecureShellWorld(configuration: "[answers]\nprogram = \"0s\"\n")
    let window = try shell.world.window("bash", "-c", "\(Self.client); \(Self.talk)")
    try window.wait(for: "READY")
    try shell.world.ask(window, ["status"])
    try shell.world.configure("[banner]\nmotion = \"off\"\n[answers]\nprogram = \"2s\"\n")
    try shell.silence()
    // The window reads the file when the kernel reports its change.
    let isShown = eventually {
      window.type("a")
      return eventually(within: .seconds(4)) { window.text[0].contains("cat: last answer") }
    }
    #expect(isShown)
  }

  /// A process names itself: the name is text.
  @Test func aHostileName() throws {
    let shell = try SecureShellWorld(configuration: "[answers]\nprogram = \"1s\"\n")
    let cat = "\(shell.world.folder)/\u{1b}[5m\u{9b}x\u{202e}"
    #expect(try Subprocess.run("cp", ["/bin/cat", cat]).status == 0)
    let window = try shell.world.window("bash", "-c", "\(Self.client); printf READY; exec \"$0\" >&3", cat)
    try window.wait(for: "READY")
    try shell.silence()
    window.type("a")
    try window.wait(for: "x: last answer")
    let output = String(decoding: window.output, as: UTF8.self).unicodeScalars
    for part in ["\u{1b}[5m", "\u{9b}", "\u{202e}"] { #expect(!output.contains(part.unicodeScalars)) }
  }

  /// Programs whose windows show no notice.
  enum Silent: String {
    case switchedOff, otherUser, otherNetwork, backgroundJob, computing

    var command: String {
      switch self {
      case .otherUser:
        "\(ProgramAnswerTests.client); exec setpriv --reuid 65534 --clear-groups sh -c '\(ProgramAnswerTests.talk)'"
      case .otherNetwork: "\(ProgramAnswerTests.client); exec unshare --net sh -c '\(ProgramAnswerTests.talk)'"
      case .backgroundJob:
        "set -m; \(ProgramAnswerTests.client); (while kill -0 $$ && sleep 0.1; do echo; done >&3) & exec 3>&-; sh -c 'printf READY; exec sleep 1000'"
      // Its server acknowledges the key.
      case .switchedOff, .computing: "\(ProgramAnswerTests.client); \(ProgramAnswerTests.talk)"
      }
    }
  }

  @Test(.enabled(if: TestUser.canBeOthers, "COULD NOT RUN: only root can change to another user"))
  func nothingIsSaidOfAnotherUser() throws { try expectNothing(.otherUser) }

  @Test(arguments: [Silent.switchedOff, .otherNetwork, .backgroundJob, .computing])
  func nothingIsSaid(_ program: Silent) throws { try expectNothing(program) }

  private func expectNothing(_ program: Silent) throws {
    let shell = try SecureShellWorld(
      configuration: program == .switchedOff ? "[answers]\nprogram = \"0s\"\n" : "[answers]\nprogram = \"1s\"\n")
    let window = try shell.world.window("bash", "-c", program.command)
    try window.wait(for: "READY")
    if program != .computing { try shell.silence() }
    window.type("a")
    // Longer than the second until the first look, two retransmissions, and the configured second.
    pause(for: .seconds(5))
    #expect(!String(decoding: window.output, as: UTF8.self).contains("last answer"))
  }
}

extension SecureShellWorld {
  fileprivate static let remedy: Comment = "COULD NOT RUN: needs ssh, sshd and nft; install them: make test-deps"
}
