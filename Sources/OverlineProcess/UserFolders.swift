internal import OverlineSystem

/// The user's folders (XDG Base Directory Specification 0.8).
///
/// Every path below a folder from the environment is composed here. A variable with a relative path is ignored, as the specification
/// requires: the folder would depend on the working directory.
package struct UserFolders {
  private let variable: (String) -> String?

  /// - Parameter variable: the value of a variable; nil if it is not set.
  package init(_ variable: @escaping (String) -> String? = { ProcessEnvironment[$0] }) {
    self.variable = variable
  }

  /// Nil if `HOME` is not an absolute path.
  package var home: String? { absolute("HOME") }
  package var configuration: String? { folder("XDG_CONFIG_HOME", ".config") }
  package var state: String? { folder("XDG_STATE_HOME", ".local/state") }
  package var data: String? { folder("XDG_DATA_HOME", ".local/share") }

  /// The reason why ``home`` is nil, with advice: `HOME (rel) is not an absolute path; set it to your home directory`.
  package var homeFault: String {
    "HOME \(variable("HOME").map { "(\($0)) is not an absolute path" } ?? "is not set"); set it to your home directory"
  }

  /// Whether `HOME` is set and nevertheless useless.
  package var hasRelativeHome: Bool { variable("HOME") != nil && home == nil }

  /// The variables that are ignored, with their values.
  package var ignored: [(name: String, value: String)] {
    ["HOME", "XDG_CONFIG_HOME", "XDG_STATE_HOME", "XDG_DATA_HOME", "XDG_RUNTIME_DIR"].compactMap { name in
      variable(name).flatMap { $0.hasPrefix("/") ? nil : (name, $0) }
    }
  }

  private func folder(_ name: String, _ standard: String) -> String? {
    absolute(name) ?? home.map { "\($0)/\(standard)" }
  }

  private func absolute(_ name: String) -> String? {
    variable(name).flatMap { $0.hasPrefix("/") ? $0 : nil }
  }
}
