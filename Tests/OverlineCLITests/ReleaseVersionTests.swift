import OverlineProcess
import OverlineSystem
import OverlineTestSupport
import OverlineTestThread
import Testing

@testable import OverlineCLI

/// One version, and one date, in everything that names them.
@Suite(.ownThread) struct ReleaseVersionTests {
  /// The newest entry of `config/debian/changelog`, which gives packages their version: `overline (0.3.0) …` and ` -- …  Mon, 30 Nov 2026`.
  private static func packaged() throws -> (version: String, day: String) {
    let text = String(decoding: try Files.read("\(InstalledPrefix.config)/debian/changelog"), as: UTF8.self)
    let version = try #require(text.firstMatch(of: #/^overline \(([0-9.]+)\)/#)).1
    let date = try #require(text.firstMatch(of: #/\n -- .*> {2}[A-Z][a-z]+, (\d+) ([A-Z][a-z]+) (\d+) /#))
    return (String(version), "\(date.1) \(date.2) \(date.3)")
  }

  @Test("program, changelogs, manual and tarball have the same version and date") func theyAgree() throws {
    let packaged = try Self.packaged()
    #expect(packaged.version == Version.number)
    let changes = try MarkdownDocument("CHANGELOG.md").text
    let newest = try #require(changes.firstMatch(of: #/\n## ([0-9.]+) \((\d+) ([A-Z][a-z]+) (\d+)\)\n/#))
    #expect(newest.1 == Version.number && packaged.day == "\(newest.2) \(newest.3.prefix(3)) \(newest.4)")
    // Each of its earlier releases is older.
    let all = changes.matches(of: #/\n## ([0-9]+)\.([0-9]+)\.([0-9]+) /#).map { [Int($0.1)!, Int($0.2)!, Int($0.3)!] }
    #expect(all.count >= 2 && zip(all, all.dropFirst()).allSatisfy { $1.lexicographicallyPrecedes($0) }, "\(all)")

    let prefix = try InstalledPrefix()
    let pages = try Subprocess.run("sh", ["-c", "cat \(prefix.path)/share/man/man[15]/*"]).outputText
    let footers = Set(pages.split(separator: "\n").filter { $0.hasPrefix(".Os") })
    #expect(footers == [".Os Overline \(Version.number)"])
    let dates = Set(pages.split(separator: "\n").filter { $0.hasPrefix(".Dd") })
    #expect(dates == [".Dd \(newest.3) \(newest.2), \(newest.4)"])

    let folder = try TemporaryFolder.make()
    defer { TemporaryFolder.remove(folder) }
    let made = try Subprocess.run(
      "\(InstalledPrefix.config)/tarball.sh", [World.executable, World.manual, folder], timeout: .seconds(120))
    #expect(made.status == 0, "\(made.errorText)")
    #expect(try Files.names(in: folder).allSatisfy { $0.hasPrefix("overline-\(Version.number)-linux-") })
  }
}
