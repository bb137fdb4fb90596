internal import OverlineSystem

/// The files that are installed with the program.
enum InstalledFile {
  /// The path of a file below `share/overline` in the program's installation prefix, or below `config` in the clone where it was built.
  static func path(_ name: String, of program: String) -> String? {
    var folder = program[...]
    while let slash = folder.lastIndex(of: "/") {
      folder = folder[..<slash]
      let places = ["share/overline", "config"].map { "\(folder)/\($0)/\(name)" }
      if let place = places.first(where: Files.exists) { return place }
    }
    return nil
  }
}
