import OverlineProcess
import OverlineSystem
import OverlineTestSupport
import OverlineWindowTestKit

/// A window's environment with a second cable: at its far end a real sshd listens, which a test can silence.
///
/// The server's user exists only for it: sshd runs in a mount namespace with a passwd file of its own, and in a user namespace, since an
/// sshd that believes to be root wants rights that the root of a user namespace lacks.
final class SecureShellWorld: Sendable {
  static let canRun =
    daemonPath != nil && ["/usr/bin/ssh", "/usr/bin/ssh-keygen", "/usr/sbin/nft"].allSatisfy(Files.exists)

  /// Where sshd is: `make test` unpacks it, since the installed package would start a server.
  private static let daemonPath = "\(ProcessEnvironment["PATH"] ?? ""):/usr/sbin".split(separator: ":")
    .map { "\($0)/sshd" }.first(where: Files.exists)

  static let address = "198.51.100.1"
  static let port = 2222

  let world: WindowWorld
  private let server: NetworkNamespace
  private let daemon: ChildProcess
  /// The cable, if it can be made slow.
  let link: SlowLink?

  /// - Parameters:
  ///   - configuration: more of the configuration, as TOML.
  ///   - isSlow: whether the cable can be made slow. It is quick at first.
  init(configuration: String = "", isSlow: Bool = false) throws {
    world = try WindowWorld(configuration: configuration)
    server = try NetworkNamespace()
    if isSlow {
      link = try SlowLink("ssh0", in: world.namespace, "ssh1", in: server)
    } else {
      link = nil
      try world.namespace.ip("link add ssh0 type veth peer name ssh1")
      try world.namespace.move("ssh1", to: server)
    }
    try world.namespace.ip("link set ssh0 up", "addr add 198.51.100.2/24 dev ssh0")
    try server.ip("link set ssh1 up", "addr add \(Self.address)/24 dev ssh1")
    daemon = try Self.serve(world, in: server)
  }

  deinit {
    // The processes of each session have left the daemon's process group.
    for pid in Self.family(of: daemon.pid).dropFirst() { Signal.kill.send(to: pid) }
  }

  private static func family(of pid: Int32) -> [Int32] { [pid] + ProcessStatus.children(of: pid).flatMap(family) }

  private static func serve(_ world: WindowWorld, in server: NetworkNamespace) throws -> ChildProcess {
    guard let path = daemonPath else { throw TestKitError("there is no sshd") }
    for name in ["host", "id"] {
      let made = try Subprocess.run(
        "/usr/bin/ssh-keygen", ["-q", "-t", "ed25519", "-N", "", "-f", "\(world.folder)/\(name)"])
      if made.status != 0 { throw TestKitError("ssh-keygen: \(made.errorText)") }
    }
    let users = try world.file(
      "passwd", "root:x:0:0::/:/bin/sh\nsshd:x:100:100::/:/bin/false\nguest:x:1000:1000::\(world.folder):/bin/sh\n")
    // Without a group `tty`, which the user namespace has not, terminals get the user's group.
    let groups = try world.file("group", "guest:x:1000:\n")
    let passwords = try world.file("shadow", "guest:*:19000:0:99999:7:::\n")
    let settings = try world.file(
      "sshd_config",
      """
      ListenAddress \(address):\(port)
      HostKey \(world.folder)/host
      PidFile none
      AuthorizedKeysFile \(world.folder)/id.pub
      PasswordAuthentication no
      UsePAM no
      StrictModes no
      \(helpers(of: path))

      """)
    _ = try world.file(
      "ssh_config",
      """
      Host *
        User guest
        Port \(port)
        IdentityFile \(world.folder)/id
        StrictHostKeyChecking no
        UserKnownHostsFile /dev/null
        LogLevel ERROR
      Host jumped
        HostName \(address)
        ProxyJump \(address)

      """)
    let log = "\(world.folder)/sshd.log"
    let script = """
      mount --bind \(users) /etc/passwd && mount --bind \(groups) /etc/group && mount --bind \(passwords) /etc/shadow &&
        exec unshare --user --map-user=1000 --map-group=1000 \\
          \(path) -D -f \(settings) -E \(log) </dev/null >/dev/null 2>&1
      """
    let daemon = try server.inside {
      ChildProcess(
        try Subprocess.spawn("unshare", ["--mount", "sh", "-c", script], newSession: true, descriptors: []))
    }
    let text = { String(decoding: (try? Files.read(log)) ?? [], as: UTF8.self) }
    guard eventually({ text().contains("Server listening") }) else { throw TestKitError("sshd: \(text())") }
    return daemon
  }

  /// Since version 9.8, sshd starts other programs: also from where it was unpacked.
  private static func helpers(of daemon: String) -> String {
    [("SshdSessionPath", "sshd-session"), ("SshdAuthPath", "sshd-auth")].map { key, name in
      let path = daemon.split(separator: "/").dropLast(2).reduce("") { "\($0)/\($1)" } + "/lib/openssh/\(name)"
      return Files.exists(path) ? "\(key) \(path)" : ""
    }.joined(separator: "\n")
  }

  // MARK: - The client

  /// The arguments that follow `ssh`, up to the host.
  var options: [String] { ["-F", "\(world.folder)/ssh_config"] }

  /// Prints READY and then each line that it reads; the server's terminal echoes each key.
  static let program = "printf 'READY\\n'; exec cat"

  /// `overline run -- ssh OPTIONS HOST`, once its server's program runs.
  func window(_ more: [String] = [], host: String = address) throws -> TerminalScene {
    let window = try world.scene(
      [WindowWorld.executable, "run", "--", "ssh"] + options + more + ["-t", host, Self.program])
    try window.wait(for: "READY")
    return window
  }

  // MARK: - The network

  /// From now on nothing from the client arrives, as beyond a router that has lost its uplink. No error comes back.
  func silence() throws {
    try nft(
      "table inet test { chain c { type filter hook input priority 0; iifname ssh1 meta l4proto tcp drop; }; }")
  }

  func wake() throws { try nft("delete table inet test") }

  private func nft(_ rules: String) throws {
    let result = try server.inside { try Subprocess.run("/usr/sbin/nft", [rules], timeout: .seconds(60)) }
    if result.status != 0 { throw TestKitError("nft: \(result.errorText)") }
  }
}
