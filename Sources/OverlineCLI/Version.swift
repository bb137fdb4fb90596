internal import COverlineVersion

/// The version that `--version` prints: semantic versioning 2.0.0 with the commit as build metadata.
enum Version {
  /// Also the newest version in `CHANGELOG.md` and in `config/debian/changelog`, which gives it to packages and manual pages.
  static let number = "0.3.0"

  /// The first twelve digits of the commit; nil if the build did not set it.
  static let commit: String? = {
    let commit = cversion_commit()
    if commit == 0 { return nil }
    let digits = String(commit, radix: 16)
    return String(repeating: "0", count: 12 - digits.count) + digits
  }()

  /// `0.3.0+1f2e3d4c5b6a`
  static let text = number + (commit.map { "+\($0)" } ?? "")
}
