/// The meaning of a colour. Every colour that the program picks by itself comes from this table. Each pair sets text and background, so it
/// is readable (4.5:1) on dark and light terminals.
package enum DesignToken: String, Equatable, Sendable, CaseIterable {
  case offline
  case restored
  case limited
  case info
  case success
  case warning
  case error

  package var backgroundColor: TerminalColor {
    switch self {
    case .offline: .systemRed
    case .restored: .systemTeal
    case .info: .systemBlue
    case .success: .systemGreen
    case .limited, .warning: .systemYellow
    case .error: .systemRed
    }
  }

  package var textColor: TerminalColor {
    switch self {
    case .offline, .restored, .info, .success, .error: .white
    case .limited, .warning: .black
    }
  }

  package var icon: BannerAppearance.Icon {
    switch self {
    case .offline, .limited, .warning: .warning
    case .restored, .success: .checkmark
    case .info: .information
    case .error: .cross
    }
  }
}
