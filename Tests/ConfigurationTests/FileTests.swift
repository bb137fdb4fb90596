import Foundation
import Overline
import OverlineProcess
import OverlineSystem
import OverlineTestSupport
import OverlineTestThread
import Testing
@testable import OverlineCore
@testable import OverlineShell

@Suite(.ownThread) struct FileTests {
  private let directory: URL

  init() throws {
    directory = FileManager.default.temporaryDirectory.appendingPathComponent("ov-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: false)
  }

  private func withFile(_ bytes: [UInt8], _ body: (String) throws -> Void) throws {
    defer { try? FileManager.default.removeItem(at: directory) }
    let path = directory.appendingPathComponent("config.toml").path
    try Files.replace(path, with: bytes)
    try body(path)
  }

  @Test("folders follow the XDG specification, which ignores relative paths") func foldersFollowXDG() {
    func folders(_ variables: [String: String]) -> UserFolders { UserFolders { variables[$0] } }
    #expect(folders(["XDG_CONFIG_HOME": "/c", "HOME": "/h"]).configuration == "/c")
    #expect(folders(["HOME": "/h"]).configuration == "/h/.config")
    #expect(folders(["XDG_CONFIG_HOME": "relative", "HOME": "/h"]).configuration == "/h/.config")
    #expect(folders(["XDG_STATE_HOME": "./s", "HOME": "/h"]).state == "/h/.local/state")
    #expect(folders(["XDG_DATA_HOME": "~/s", "HOME": "/h"]).data == "/h/.local/share")
    for variables in [[:], ["HOME": "h"], ["HOME": ".", "XDG_CONFIG_HOME": "c", "XDG_STATE_HOME": "s"]] {
      #expect(folders(variables).configuration == nil && folders(variables).state == nil)
      #expect(folders(variables).hasRelativeHome == !variables.isEmpty)
    }
    #expect(folders([:]).homeFault == "HOME is not set; set it to your home directory")
    #expect(folders(["HOME": "h"]).homeFault == "HOME (h) is not an absolute path; set it to your home directory")
    #expect(
      folders(["HOME": "h", "XDG_RUNTIME_DIR": "r", "XDG_STATE_HOME": "/s"]).ignored.map(\.name) == [
        "HOME", "XDG_RUNTIME_DIR",
      ])
  }

  @Test func aFileIsRead() throws {
    try withFile(Array("banner.motion = \"off\"\n".utf8)) { path in
      let loaded = try Configuration.load(path: path)
      #expect(loaded.configuration.banner.motion == .off)
      #expect(loaded.path == path)
    }
  }

  @Test func noFileMeansTheDefaultsUnlessItWasNamed() throws {
    try withFile([]) { path in
      let missing = path + ".not"
      let loaded = try Configuration.load(missing, mayBeMissing: true)
      #expect(loaded.configuration == Configuration())
      #expect(loaded.path == nil)
      let error = #expect(throws: ConfigurationError.self) { try Configuration.load(path: missing) }
      #expect(
        error?.description
          == "cannot read \(missing): No such file or directory; create it, or name another with --config")
    }
  }

  /// The file's hooks would run as this user.
  @Test(.enabled(if: TestUser.canBeOthers, "COULD NOT RUN: only root can give a file away"))
  func aFileThatOthersCouldHaveWrittenIsRefused() throws {
    try withFile(Array("[hooks]\non-offline = \"id\"\n".utf8)) { path in
      #expect(chmod(path, 0o664) == 0)
      let own = try Configuration.load(path: path)
      #expect(own.configuration.hooks.onOffline == "id")
      #expect(chmod(path, 0o666) == 0)
      let open = #expect(throws: ConfigurationError.self) { try Configuration.load(path: path) }
      #expect(
        open?.description == "\(path): it can be written by other users (mode 666); run: chmod go-w '\(path)'")
      #expect(chmod(path, 0o600) == 0 && chown(path, 65534, 65534) == 0)
      for mayBeMissing in [false, true] {
        let foreign = #expect(throws: ConfigurationError.self) {
          try Configuration.load(path, mayBeMissing: mayBeMissing)
        }
        #expect(
          foreign?.description
            == "\(path): it belongs to user 65534, not to you (0); make it yours, or after su or sudo log in fully (su -, sudo -i)"
        )
      }
    }
  }

  @Test func aDirectoryIsAnError() throws {
    try withFile([]) { path in
      let error = #expect(throws: ConfigurationError.self) {
        try Configuration.load(directory.path, mayBeMissing: true)
      }
      #expect(error?.description.contains("Is a directory") == true)
    }
  }

  @Test func bytesThatAreNoTextAreAnErrorAtTheirPlace() throws {
    try withFile(Array("# \u{e4}\n# ".utf8) + [0xff, 0x0a]) { path in
      let error = #expect(throws: ConfigurationError.self) { try Configuration.load(path: path) }
      #expect(error?.description.hasPrefix("\(path):2:3: not TOML: the text here is not UTF-8") == true)
    }
    try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: false)
    try withFile(Array("[banner]\n".utf8) + [0]) { path in
      let error = #expect(throws: ConfigurationError.self) { try Configuration.load(path: path) }
      #expect(error?.description.hasPrefix("\(path):2:1: not TOML: a key is expected here, not U+0000") == true)
    }
  }

  @Test func aFileCutAnywhereIsReadOrAnErrorAtAPlaceInIt() throws {
    let whole = Array(
      """
      # Grüße
      path.targets = { office = "10.20.0.0/16", "näs" = '192.0.2.7' }
      [banner]
      grace-delay = "250ms" # ⚠
      [banner.offline]
      title = \"""
      Gone 🚧\"""
      height = 2
      [[path.nothing]]
      [path]
      ignore = [ "docker*", # one
        'veth[0-9]', ]

      """.utf8)
    for length in 0...whole.count {
      let lines = whole[..<length].split(separator: 0x0a, omittingEmptySubsequences: false).count
      try withFile(Array(whole[..<length])) { path in
        do throws(ConfigurationError) {
          _ = try Configuration.load(path: path)
        } catch {
          #expect(error.diagnostics.contains { (1...lines + 1).contains($0.line) }, "\(length): \(error)")
          #expect(error.description.hasPrefix("\(path):"))
        }
      }
      try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: false)
    }
    try FileManager.default.removeItem(at: directory)
  }

  @Test func anEndlessFileIsAnError() throws {
    try withFile([UInt8](repeating: 0x23, count: 10_000_000)) { path in
      let error = #expect(throws: ConfigurationError.self) { try Configuration.load(path: path) }
      #expect(
        error?.description == "cannot read \(path): File too large; keep it below 1 MiB, or name another with --config")
    }
    // A device without a size to check before reading.
    let error = #expect(throws: ConfigurationError.self) { try Configuration.load(path: "/dev/zero") }
    #expect(error?.description.contains("File too large") == true)
  }

  @Test func anErrorNamesEverythingAndWarningsPass() throws {
    try withFile(Array("a = 1\nb = 2\n".utf8)) { path in
      let error = #expect(throws: ConfigurationError.self) { try Configuration.load(path: path) }
      #expect(error?.diagnostics.count == 2)
      #expect(error?.description.split(separator: "\n").count == 2)
    }
  }
}
