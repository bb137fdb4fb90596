import OverlineCore
import ArgumentParser
import OverlineProcess
import OverlineSystem
import OverlineTestSupport
import OverlineTestThread
import Testing

@testable import OverlineCLI

/// `make install` into a prefix, and the use of the installed files.
@Suite(.ownThread) struct InstallTests {
  @Test func uninstallingRemovesExactlyWhatWasInstalled() throws {
    let prefix = try InstalledPrefix()
    // Other programs' files, some with names that resemble ours.
    for file in ["bin/other", "share/man/man1/overline-other.1", "share/overline/mine"] {
      try Files.replace("\(prefix.path)/\(file)", with: [])
    }
    let before = try prefix.files()
    #expect(before.count > 25)
    for file in [
      "share/man/man1/overline-tmux-attach.1", "share/man/man5/overline.toml.5", "share/overline/bar/waybar.jsonc",
      "share/overline/prompt/overline.bash", "share/overline/startup/window.bash", "share/overline/startup/program.sh",
      "share/systemd/user/overline.service", "share/doc/overline/LGPL-2.1", "share/doc/overline/THIRD-PARTY",
    ] {
      #expect(before.contains(file), "\(file)")
    }
    #expect(
      try prefix.text("share/systemd/user/overline.service").contains("ExecStart=\"\(prefix.path)/bin/overline\""))
    #expect(try !prefix.text("share/doc/overline/THIRD-PARTY").contains(/@[A-Z]+@/))
    // Once more, over existing files.
    #expect(try prefix.install().status == 0)
    #expect(try prefix.files() == before)
    #expect(try prefix.uninstall().status == 0)
    #expect(try prefix.files() == ["bin/other", "share/man/man1/overline-other.1", "share/overline/mine"])
    #expect(try prefix.folders() == ["", "bin", "share", "share/man", "share/man/man1", "share/overline"])
    let again = try prefix.uninstall()
    #expect(again.status == 1)
    #expect(again.errorText.contains("overline is not installed in \(prefix.path)"))
  }

  @Test("an installation for which there is no room changes nothing, and the next one succeeds")
  func noRoom() throws {
    let prefix = try InstalledPrefix()
    let before = try prefix.files()
    let failed = try prefix.install(below: "ulimit -f 1000")
    #expect(failed.status == 1 && failed.errorText.contains("nothing is installed or changed"), "\(failed.errorText)")
    #expect(try prefix.files() == before)
    #expect(try Subprocess.run("\(prefix.path)/bin/overline", ["-V"]).status == 0)
    // As an earlier version's installation left it on a full disk.
    try Files.replace("\(prefix.path)/share/overline/installed", with: [])
    #expect(try prefix.install().status == 0)
    #expect(try prefix.files() == before)
    #expect(try prefix.uninstall().status == 0)
    #expect(try prefix.files() == [])
  }

  @Test("folders that the installation made are removed, and others stay, empty or not")
  func uninstallingRemovesItsFolders() throws {
    let prefix = try InstalledPrefix(folder: "new")
    #expect(try prefix.folders().contains("share/man/man1"))
    #expect(try prefix.install().status == 0)
    #expect(try prefix.uninstall().status == 0)
    #expect(!Files.exists(prefix.path))
    try Files.makePrivateDirectories("\(prefix.path)/share/man")
    #expect(try prefix.install().status == 0)
    #expect(try prefix.uninstall().status == 0)
    #expect(try prefix.folders() == ["", "share", "share/man"])
  }

  @Test(
    "a prefix that is not writable is an error with the command to type",
    .enabled(if: TestUser.canBeOthers, "COULD NOT RUN: only root can change to another user"))
  func anUnwritablePrefixIsAnError() throws {
    // Readable for the other user.
    let script = try Subprocess.run("mktemp", ["/tmp/overline-install-XXXXXX"]).outputText.dropLast()
    defer { try? Files.remove(String(script)) }
    let text = try Files.read("\(InstalledPrefix.config)/install.sh")
    try Files.replace(String(script), with: text, permissions: 0o644)
    let result = try Subprocess.run(
      "setpriv", ["--reuid", "65534", "--clear-groups", "sh", String(script), "/usr/local"])
    #expect(result.status == 1)
    #expect(result.errorText.contains("/usr/local is not writable for you; repeat the command with sudo"), "\(result)")
  }

  @Test("the installation prints where it installed, and with DESTDIR nothing else")
  func theInstallationPrintsItsPlace() throws {
    let prefix = try InstalledPrefix()
    let text = try prefix.install().outputText
    #expect(text.hasPrefix("Overline ") && text.contains(" is installed in \(prefix.path)\n"), "\(text)")
    #expect(text.contains("export PATH=") && text.contains("run-shell "), "\(text)")
    let staged = try prefix.install(destination: "\(prefix.path)/staged").outputText
    #expect(staged.hasSuffix(" is installed in \(prefix.path)/staged\(prefix.path)\n"), "\(staged)")
    #expect(staged.split(separator: "\n").count == 1)
  }

  @Test("a program that does not run on this machine is not installed") func aForeignProgramIsNotInstalled() throws {
    let prefix = try InstalledPrefix(folder: "new")
    #expect(try prefix.uninstall().status == 0)
    try prefix.replaceProgram(with: "#!/bin/sh\necho 'version GLIBC_2.99 not found' >&2\nexit 1\n")
    let result = try prefix.install()
    #expect(
      result.status == 1 && result.errorText.contains("does not run on this machine (version GLIBC_2.99 not found)"))
    #expect(!Files.exists(prefix.path))
  }

  @Test(
    "what the installation prints works in the shell, and is printed until it is done",
    arguments: ["bash", "zsh", "fish"])
  func theNextStepsWork(_ shell: String) throws {
    let prefix = try InstalledPrefix(folder: ".local")
    let home = Files.folder(of: prefix.path)
    let path = "/usr/bin:/bin"
    func run(_ program: String, _ arguments: [String], path: String = path) throws -> String {
      try Subprocess.run(
        program, arguments, environment: ["HOME=\(home)", "SHELL=/bin/\(shell)", "PATH=\(path)"]
      ).outputText
    }
    func steps(path: String = path) throws -> [String] {
      try run("\(prefix.path)/bin/overline", ["setup", "--print"], path: path).split(separator: "\n")
        .filter { $0.hasPrefix("    ") }.map { String($0.dropFirst(4)) }
    }
    let lines = try steps()
    // PATH first; in fish, which keeps it, for the next shell too.
    let found = shell == "fish" ? "command -s overline" : "command -v overline"
    #expect(try run(shell, ["-c", "\(lines[0])\n\(found)"]) == "\(prefix.path)/bin/overline\n")
    if shell == "fish" { #expect(try run(shell, ["-c", found]) == "\(prefix.path)/bin/overline\n") }
    if shell == "zsh" {
      let completed = "\(lines[1])\nautoload -Uz compinit; compinit -u -d \(home)/dump; print $_comps[overline]"
      #expect(try run("zsh", ["-fc", completed]) == "_overline\n")
    }
    // The guide's line is for this prefix.
    let guide = try MarkdownDocument("Sources/OverlineCLI/OverlineCLI.docc/Guide/EveryTerminal.md").text
    let window = try #require(lines.first { $0.contains("startup/window.\(shell)") })
    #expect(guide.contains("\n\(window) "), "\(window)")

    let file = ["bash": ".bashrc", "zsh": ".zshrc"][shell] ?? ".config/fish/config.fish"
    try Files.makePrivateDirectories("\(home)/.config/fish")
    try Files.replace("\(home)/\(file)", with: Array((lines.dropFirst().joined(separator: "\n") + "\n").utf8))
    try Files.replace("\(home)/.tmux.conf", with: Array("run-shell ~/.local/share/overline/overline.tmux\n".utf8))
    let left = try steps(path: "\(prefix.path)/bin:\(path)")
    #expect(left.first?.contains("overline") == true, "\(left)")
    #expect(
      !left.contains { line in ["PATH=", "startup/", "run-shell", "prompt/", "fpath"].contains(where: line.contains) },
      "\(left)")
  }

  @Test("make install builds after a change of the sources, and not for another PREFIX or DESTDIR")
  func thePlaceIsNoReasonToBuild() throws {
    let folder = try TemporaryFolder.make()
    defer { TemporaryFolder.remove(folder) }
    let root = Files.folder(of: InstalledPrefix.config)
    for part in ["Sources", "Tests/Manual"] { try Files.makePrivateDirectories("\(folder)/\(part)") }
    for file in ["Makefile", "LICENSE", "Package.swift", "Package.resolved", "config"] {
      _ = try Subprocess.run("cp", ["-r", "\(root)/\(file)", folder])
    }
    // A Swift that "builds" these programs.
    let swift = """
      #!/bin/sh
      case "$*" in *--product*) ;; *) exit 0 ;; esac
      echo built >>log
      mkdir -p .build/release
      cp \(World.executable) \(World.manual) .build/release
      """
    try Files.replace("\(folder)/swift", with: Array(swift.utf8), permissions: 0o755)
    func install(_ place: String...) throws -> Int {
      let result = try Subprocess.run(
        // Under sudo, `make install` never builds.
        "env", ["-u", "SUDO_UID", "make", "-C", folder, "install", "SWIFT=\(folder)/swift"] + place,
        timeout: .seconds(180))
      #expect(result.status == 0, "\(result)")
      return String(decoding: try Files.read("\(folder)/log"), as: UTF8.self).split(separator: "\n").count
    }
    let count = try install("PREFIX=\(folder)/a")
    #expect(count == 2)
    #expect(try install("PREFIX=\(folder)/b") == count)
    #expect(try install("PREFIX=/usr", "DESTDIR=\(folder)/c") == count)
    #expect(Files.exists("\(folder)/b/bin/overline") && Files.exists("\(folder)/c/usr/bin/overline"))
    try Files.replace("\(folder)/Sources/new.swift", with: [])
    #expect(try install("PREFIX=\(folder)/b") == 2 * count)
  }

  @Test func everyCommandHasAManualPageWithoutAWarning() throws {
    let prefix = try InstalledPrefix()
    let pages = try prefix.files().filter { $0.hasPrefix("share/man/") }.map { "\(prefix.path)/\($0)" }
    let lint = try Subprocess.run("mandoc", ["-T", "lint", "-W", "warning"] + pages)
    #expect(lint.status == 0, "\(lint.outputText)")
    for page in pages {
      let shown = try Subprocess.run(
        "sh", ["-c", "groff -ww -mandoc -Tutf8 -Kutf8 \"$1\" | col -b", "sh", page])
      #expect(shown.errorText == "", "\(page)")
      #expect(shown.outputText.contains("DESCRIPTION"), "\(page)")
      // Outside of a macro's line roff replaces these characters: a user could not copy them into a shell.
      let text = String(decoding: try Files.read(page), as: UTF8.self).split(separator: "\n").filter {
        !$0.hasPrefix(".")
      }
      #expect(!text.joined().replacing("\\-", with: "").contains { "-'~^".contains($0) }, "\(page)")
    }
    // Every command has a page with examples, and each name in SEE ALSO is a page.
    let names = Set(pages.compactMap { $0.split(separator: "/").last.map(String.init) })
    for page in pages {
      let text = String(decoding: try Files.read(page), as: UTF8.self)
      for reference in text.matches(of: /\n\.(?:It )?Xr (\S+) (\d)/) where reference.1 != "tmux" {
        #expect(names.contains("\(reference.1).\(reference.2)"), "\(page): \(reference.1)")
      }
      for section in ["EXAMPLES", "SEE ALSO"] + (page.hasSuffix(".1") ? ["EXIT STATUS"] : ["FILES"]) {
        #expect(text.contains(".Sh \(section)\n"), "\(page): \(section)")
      }
      // ManualWords.swift lists the commands that use a variable or a file.
      let usesSomething = ["ENVIRONMENT", "FILES"].contains { text.contains(".Sh \($0)\n") }
      let usesNothing = ["banner.", "completions.", "reset.", "tmux."].contains { page.contains("-\($0)") }
      #expect(usesSomething != usesNothing, "\(page)")
    }
    for command in OverlineCommand.configuration.subcommands {
      let page = "\(prefix.path)/share/man/man1/overline-\(command._commandName).1"
      #expect(pages.contains(page), "\(page)")
    }
  }

  @Test func aManualPageSaysWhatTheHelpSays() throws {
    let prefix = try InstalledPrefix()
    let page = try Subprocess.run(
      "man", ["--no-justification", "--no-hyphenation", "-l", "\(prefix.path)/share/man/man1/overline-wait.1"],
      environment: TmuxTestServer.environment)
    for words in ["overline wait [--for", "--timeout duration, -t duration", "overline(1)"] {
      #expect(page.outputText.contains(words), "\(words)")
    }
  }

  @Test("each example of the manual uses an existing command and options") func theExamplesCanBeTyped() throws {
    let prefix = try InstalledPrefix()
    let pages = try prefix.files().filter { $0.hasPrefix("share/man/man1/") }
    var count = 0
    for page in pages {
      let text = String(decoding: try Files.read("\(prefix.path)/\(page)"), as: UTF8.self)
      for example in text.matches(of: /\.Bd -literal.*\n(.+)\n\.Ed/) {
        let line = example.1.replacing("\\-", with: "-").replacing("\\(aq", with: "'")
        guard let start = line.firstRange(of: "overline ") else { continue }
        let words = line[start.upperBound...].prefix { !"&|>)".contains($0) }.split(separator: " ").map {
          $0.filter { $0 != "'" }
        }
        let place = CommandPlace(words, of: OverlineCommand.self)
        #expect(!place.path.isEmpty && UnknownCommand(place) == nil && place.unknownOption == nil, "\(page): \(line)")
        count += 1
      }
    }
    #expect(count >= pages.count)
  }

  @Test("overline.toml(5) has every table and key with its default") func theConfigurationHasAPage() throws {
    let prefix = try InstalledPrefix()
    let page = try Subprocess.run(
      "man", ["-l", "\(prefix.path)/share/man/man5/overline.toml.5"], environment: TmuxTestServer.environment
    ).outputText
    for table in Configuration.documentation {
      #expect(page.contains("[\(table.name)]"), "\(table.name)")
      for key in table.keys { #expect(page.contains("\(key.name) = \(key.standard)"), "\(table.name).\(key.name)") }
    }
  }

  /// A user types, and presses Tab.
  @Test(
    arguments: ["bash", "zsh", "fish"],
    [
      ("sta", "status"), ("tmux att", "tmux attach"), ("wait --for offl", "wait --for offline"),
      ("completions z", "completions zsh"), ("config in", "config init"),
    ])
  func theShellsComplete(_ shell: String, _ words: (typed: String, completed: String)) throws {
    let prefix = try InstalledPrefix()
    let (command, setup) =
      switch shell {
      case "bash": ("bash --norc", "source \(prefix.path)/share/bash-completion/completions/overline")
      case "zsh":
        (
          "zsh -f",
          "fpath=(\(prefix.path)/share/zsh/site-functions $fpath); autoload -U compinit; compinit -u -d \(prefix.path)/dump"
        )
      default: ("fish --no-config", "set -p fish_complete_path \(prefix.path)/share/fish/vendor_completions.d")
      }
    let server = try TmuxTestServer(command: "env HOME=\(prefix.path) PATH=\(prefix.path)/bin:$PATH \(command)")
    let rows = { try server.tmux("capture-pane", "-p").split(separator: "\n") }
    let type = { (text: String) in _ = try server.tmux("send-keys", "-l", text) }
    // A starting shell discards what was typed before.
    #expect(try eventually { try rows().contains { $0.last == " " || "$%#>".contains($0.last!) } })
    try type("\(setup); echo rea''dy; clear\n")
    try type("echo clea''red\n")
    #expect(try eventually { try rows().contains("cleared") })
    try type("overline \(words.typed)\t")
    let hasCompleted = try eventually { try rows().contains { $0.contains("overline \(words.completed)") } }
    let shown = try rows()
    #expect(hasCompleted, "\(shown)")
  }
}

/// The tarball of these programs; a release build is the same to it.
@Suite(.ownThread) struct TarballTests {
  @Test("two tarballs of one build are equal, and one installs and uninstalls itself") func theTarballInstalls() throws
  {
    let folder = try TemporaryFolder.make()
    defer { TemporaryFolder.remove(folder) }
    var sums: [String] = []
    for (name, mask) in [("a", "022"), ("b", "077")] {
      let script = "umask \(mask); \"$0\" \"$@\""
      let made = try Subprocess.run(
        "sh",
        ["-c", script, "\(InstalledPrefix.config)/tarball.sh", World.executable, World.manual, "\(folder)/\(name)"],
        timeout: .seconds(120))
      #expect(made.status == 0, "\(made.errorText)")
      sums.append(try Subprocess.run("sh", ["-c", "sha256sum <$(echo \(folder)/\(name)/*.tar.gz)"]).outputText)
    }
    #expect(sums[0] == sums[1] && sums[0].count > 60)
    let script = """
      cd \(folder); tar -xzf a/*.tar.gz; cd overline-*; HOME=\(folder) ./install.sh \(folder)/prefix
      cd ..; rm -r overline-*; prefix/bin/overline --version; prefix/share/overline/uninstall.sh; ls
      """
    let used = try Subprocess.run(
      "sh", ["-ec", script], environment: TmuxTestServer.environment, timeout: .seconds(60))
    #expect(used.errorText == "" && used.outputText.hasSuffix("\na\nb\n"), "\(used)")
  }
}

@Suite(.ownThread) struct VersionTests {
  @Test func theVersionIsThatOfTheNewestChange() throws {
    let said = try Subprocess.run(World.executable, ["--version"]).outputText
    let changelog = try String(decoding: Files.read("\(InstalledPrefix.config)/debian/changelog"), as: UTF8.self)
    let newest = changelog.drop { $0 != "(" }.dropFirst().prefix { $0 != ")" }
    #expect(said.prefix { $0 != "+" && $0 != "\n" } == newest)
    #expect(try Subprocess.run(World.executable, ["-V"]).outputText == said)
    // A build with a known commit prints twelve of its digits.
    #expect(said == "\(newest)\n" || said.wholeMatch(of: /[0-9.]+\+[0-9a-f]{12}\n/) != nil, "\(said)")
  }

  @Test(arguments: [
    (["statsu"], "unknown command \"statsu\"; did you mean \"status\"?"),
    (["tmux", "atach"], "unknown command \"tmux atach\"; did you mean \"attach\"?"),
    (["help", "wiat"], "unknown command \"wiat\"; did you mean \"wait\"?"),
    (["xyzzy"], "the commands are monitor, run, "),
  ])
  func anUnknownCommandSuggestsTheNearest(_ arguments: [String], _ words: String) throws {
    let result = try Subprocess.run(World.executable, arguments, environment: TmuxTestServer.environment)
    #expect(result.status == 64)
    #expect(result.errorText.contains(words), "\(result.errorText)")
  }
}

/// Overline installed below a temporary folder, which is removed with this object.
final class InstalledPrefix: Sendable {
  let path: String
  private let made: String

  static let config = #filePath.split(separator: "/").dropLast(3).reduce("") { "\($0)/\($1)" } + "/config"

  /// - Parameter folder: the prefix below a new folder, which need not exist; nil for the new folder itself.
  init(folder: String? = nil) throws {
    made = try TemporaryFolder.make()
    path = folder.map { [made] in "\(made)/\($0)" } ?? made
    let result = try install()
    guard result.status == 0 else { throw TestKitError("install.sh: \(result.errorText)") }
  }

  deinit { TemporaryFolder.remove(made, "\(made).tree") }

  /// - Parameter limit: a command of sh(1) before the installation.
  func install(destination: String = "", below limit: String = ":") throws -> Subprocess.Result {
    if !Files.exists("\(made).tree/install.sh") {
      let staged = try Subprocess.run(
        // A sanitizer's build makes large programs, which run slowly.
        "\(Self.config)/stage.sh", [World.executable, World.manual, "\(made).tree"], timeout: .seconds(180))
      guard staged.status == 0 else { return staged }
      _ = try Subprocess.run("cp", ["\(Self.config)/install.sh", "\(made).tree"])
    }
    return try Subprocess.run(
      "sh", ["-c", "\(limit); exec \"$@\"", "sh", "\(made).tree/install.sh", path, destination], timeout: .seconds(60))
  }

  /// Replaces the program that the next installation installs.
  func replaceProgram(with text: String) throws {
    try Files.replace("\(made).tree/bin/overline", with: Array(text.utf8), permissions: 0o755)
  }

  func uninstall() throws -> Subprocess.Result { try Subprocess.run("\(Self.config)/uninstall.sh", [path]) }

  /// Every folder, sorted; the prefix itself is the empty one.
  func folders() throws -> [String] {
    try Subprocess.run("find", [path, "-type", "d", "-printf", "%P\n"]).outputText
      .split(separator: "\n", omittingEmptySubsequences: false).dropLast().map(String.init).sorted()
  }

  func text(_ file: String) throws -> String { String(decoding: try Files.read("\(path)/\(file)"), as: UTF8.self) }

  /// Every file, sorted, below the prefix.
  func files() throws -> [String] {
    try Subprocess.run("find", [path, "-type", "f", "-printf", "%P\n"]).outputText.split(separator: "\n").map(
      String.init
    ).sorted()
  }
}
