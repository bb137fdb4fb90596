/// What a colour means. Every colour that the program picks by itself comes from this table, and each pair in it reads well (4.5:1)
/// whatever the terminal can show, since text and background are both given: a dark terminal and a light one get the same.
package enum DesignToken: String, Hashable, Sendable, CaseIterable {
  case offline
  case restored
  case limited
  case info
  case success
  case warning
  case error

  package var backgroundColor: Color {
    switch self {
    case .offline: .systemRed
    case .restored: .systemTeal
    case .info: .systemBlue
    case .success: .systemGreen
    case .limited, .warning: .systemYellow
    case .error: .systemRed
    }
  }

  package var textColor: Color {
    switch self {
    case .offline, .restored, .info, .success, .error: .white
    case .limited, .warning: .black
    }
  }

  package var icon: Icon {
    switch self {
    case .offline, .limited, .warning: .warning
    case .restored, .success: .checkmark
    case .info: .information
    case .error: .cross
    }
  }
}
