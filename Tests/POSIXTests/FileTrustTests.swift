import Glibc
import OverlineProcess
import OverlineSystem
import OverlineTestSupport
import OverlineTestThread
import Testing

/// Files of other users in the places of this user's files. Each test has a folder of its own.
@Suite(.ownThread) struct FileTrustTests {
  private let folder: String
  private var file: String { "\(folder)/file" }

  init() throws {
    folder = try TemporaryFolder.make()
  }

  private func shell(_ script: String) throws {
    let result = try Subprocess.run("sh", ["-ec", "cd \(folder)\n\(script)"])
    #expect(result.status == 0, "\(result.errorText)")
  }

  private func remove() { TemporaryFolder.remove(folder) }

  private func text(_ name: String) -> String {
    String(decoding: (try? Files.read("\(folder)/\(name)")) ?? [], as: UTF8.self)
  }

  /// A writer would block on a pipe without a reader, and write to a link's target.
  @Test(arguments: ["mkfifo new", "echo old >other; ln other new", "echo old >other; ln -s other new", "echo old >new"])
  func anExistingTemporaryFileIsReplaced(_ before: String) throws {
    defer { remove() }
    try shell(before)
    try Files.replace(file, with: Array("text".utf8), through: "\(folder)/new")
    #expect(text("file") == "text")
    #expect(try Files.attributes(file).isRegular)
    #expect(try Files.attributes(file).permissions == 0o600)
    #expect(!Files.exists("\(folder)/new"))
    if before.contains("other") { #expect(text("other") == "old\n") }
  }

  @Test(arguments: ["target", "missing"])
  func aLockAndAnAppendedLineFollowNoLink(_ target: String) throws {
    defer { remove() }
    try shell("echo old >target; ln -s \(target) file")
    #expect(throws: SystemError.self) { _ = try FileLock.acquire(file) }
    #expect(throws: SystemError.self) { try Files.append(Array("line\n".utf8), to: file) }
    #expect(text("target") == "old\n")
    #expect(!Files.exists("\(folder)/missing"))
  }

  @Test(
    .enabled(if: TestUser.canBeOthers, "COULD NOT RUN: only root can give a file away"),
    arguments: [
      ("chown 65534", "it belongs to user 65534, not to you (0); make it yours, or after su or sudo log in fully"),
      ("chmod 666", "it can be written by other users (mode 666); run: chmod go-w '"),
      ("chgrp 65534 file; chmod 660", "it can be written by other users (mode 660)"),
    ])
  func aFileOfOthersIsNeitherBelievedNorWritten(_ change: String, _ reason: String) throws {
    defer { remove() }
    try shell("echo old >file; \(change) file")
    let reading = #expect(throws: SystemError.self) { try Files.readTrusted(file) }
    #expect(reading?.description.hasPrefix("cannot read \(file): \(reason)") == true)
    let writing = #expect(throws: SystemError.self) { try Files.append(Array("line\n".utf8), to: file) }
    #expect(writing?.description.hasPrefix("cannot write \(file): \(reason)") == true)
    #expect(text("file") == "old\n")
  }

  /// The file as umask 002 leaves it where each user has a group of his own; and a device, which has no content of other users.
  @Test func aFileOfTheUsersOwnGroupAndADeviceAreBelieved() throws {
    defer { remove() }
    try shell("echo old >file; chmod 664 file")
    #expect(try Files.readTrusted(file) == Array("old\n".utf8))
    #expect(try Files.readTrusted("/dev/null") == [])
  }

  /// Where all users share one primary group, it is not this user's own.
  @Test(.ownProcess, .enabled(if: TestUser.canBeOthers, "COULD NOT RUN: only root can be in another group"))
  func aFileThatASharedGroupCanWriteIsNotTrusted() throws {
    remove()
    let file = "/tmp/overline-group-\(getpid())"
    defer { unlink(file) }
    // 100 is "users" on Debian.
    #expect(setgid(100) == 0)
    try Files.replace(file, with: Array("old\n".utf8), permissions: 0o664)
    #expect(throws: SystemError.self) { try Files.readTrusted(file) }
    #expect(chmod(file, 0o644) == 0)
    _ = try Files.readTrusted(file)
  }

  /// Where each user has a group of his own: `daemon` is one everywhere, and so is its group.
  @Test(.ownProcess, .enabled(if: TestUser.canBeOthers, "COULD NOT RUN: only root can change to another user"))
  func aFileOfTheGroupThatIsNamedAsTheUserIsBelieved() throws {
    remove()
    let file = "/tmp/overline-own-group-\(getpid())"
    defer { unlink(file) }
    #expect(setgid(1) == 0 && setuid(1) == 0)
    try Files.replace(file, with: Array("old\n".utf8), permissions: 0o664)
    _ = try Files.readTrusted(file)
    #expect(chmod(file, 0o666) == 0)
    #expect(throws: SystemError.self) { try Files.readTrusted(file) }
  }

  @Test(arguments: [
    ("true", nil), ("chmod 1777 .", nil), ("chmod 775 .", nil),
    (
      "chmod 777 .",
      "its folder FOLDER is not safe: it can be written by other users (mode 777); run: chmod go-w 'FOLDER'"
    ),
    ("mv socket away; ln -s away socket", "it is not a socket; symbolic links are not followed here"),
    ("rm socket; touch socket", "it is not a socket; symbolic links are not followed here"),
    ("rm socket", "No such file or directory"),
  ])
  func aSocketIsLookedAtWithItsFolder(_ change: String, _ reason: String?) throws {
    defer { remove() }
    let socket = try UnixSocket.listen(at: "\(folder)/socket")
    try shell(change)
    do {
      try Files.checkSocket("\(folder)/socket")
      #expect(reason == nil)
    } catch {
      #expect(error.reason == reason?.replacing("FOLDER", with: folder))
    }
    _ = consume socket
  }

  @Test func aFolderIsNoLink() throws {
    defer { remove() }
    try shell("mkdir folder; ln -s folder link")
    try Files.checkFolder("\(folder)/folder")
    let error = #expect(throws: SystemError.self) { try Files.checkFolder("\(folder)/link") }
    #expect(error?.reason == "it is not a folder; symbolic links are not followed here")
  }
}
