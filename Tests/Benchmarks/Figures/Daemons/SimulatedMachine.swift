internal import OverlineSystem
internal import OverlineTestSupport

/// A network namespace with processes and folders of its own, in which daemons run as on a machine without a service manager.
///
/// Its `/usr` and `/etc` hold this machine's files and, over them, those of packages that were only unpacked. `/run` and `/var/lib` are
/// empty. Its processes end with this object.
final class SimulatedMachine: Sendable {
  /// Where `make soak` unpacks the daemons' packages.
  static let packages = ".build/daemons"

  let namespace: NetworkNamespace
  private let holder: PipedProgram
  /// The first process in it.
  private let first: Int32

  init(_ namespace: NetworkNamespace) throws {
    self.namespace = namespace
    // `/sys` is read-only: otherwise daemons wait for udev.
    let script = """
      set -e
      packages=$(cd "$1" && pwd)
      for folder in bin sbin lib; do
        mkdir -p "$packages/$folder" "$packages/usr/$folder"
        mount -t overlay overlay -o "ro,lowerdir=$packages/$folder:$packages/usr/$folder:/usr/$folder" "/usr/$folder"
      done
      mkdir -p "$packages/usr/share" "$packages/etc"
      mount -t overlay overlay -o "ro,lowerdir=$packages/usr/share:/usr/share" /usr/share
      mount -t tmpfs tmpfs /run
      mkdir -p /run/etc /run/etc-work /run/dbus
      mount -t overlay overlay -o "lowerdir=$packages/etc:/etc,upperdir=/run/etc,workdir=/run/etc-work" /etc
      mount -t tmpfs tmpfs /var/lib
      mount -t sysfs -o ro sysfs /sys
      rm -f /etc/resolv.conf
      : >/etc/resolv.conf
      echo ready
      sleep infinity & wait
      """
    holder = try namespace.inside {
      try PipedProgram(
        "setpriv",
        [
          "--pdeathsig", "KILL", "unshare", "--mount", "--pid", "--fork", "--mount-proc", "--kill-child", "sh", "-c",
          script, "sh", Self.packages,
        ], environment: Self.environment)
    }
    guard try holder.waitForOutput(within: .seconds(30)) else { throw TestKitError("a machine did not start") }
    let children = try Files.read("/proc/\(holder.pid)/task/\(holder.pid)/children")
    guard let first = Int32(String(decoding: children, as: UTF8.self).prefix { $0.isNumber }) else {
      throw TestKitError("a machine cannot mount its folders; overlayfs is needed")
    }
    self.first = first
  }

  private static let environment = ["PATH=/usr/sbin:/usr/bin:/sbin:/bin", "LC_ALL=C.UTF-8", "HOME=/run"]

  /// The words that run a program on this machine, before the program's own words.
  var enter: [String] { ["nsenter", "--target", "\(first)", "--mount", "--pid"] }

  /// Runs a shell's command to its end, and returns what it prints.
  @discardableResult
  func run(_ command: String, timeout: Duration = .seconds(60)) throws -> String {
    let result = try namespace.inside {
      try Subprocess.run(
        enter[0], enter.dropFirst() + ["sh", "-c", command], environment: Self.environment, timeout: timeout)
    }
    guard result.status == 0 else {
      throw TestKitError("\(command): \(result.status) \(result.outputText)\(result.errorText)")
    }
    return result.outputText
  }

  /// Starts a program that runs on. Its pid is in `/run/NAME.pid`, its output in `/run/NAME.log`.
  func start(_ name: String, _ command: String) throws {
    try run("\(command) </dev/null >>/run/\(name).log 2>&1 & echo $! >/run/\(name).pid")
  }
}
