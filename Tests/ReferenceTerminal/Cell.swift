import COverlineVTerm

/// A colour as the program set it.
public enum ReferenceColor: Hashable, Sendable {
  case standard
  case indexed(UInt8)
  case rgb(UInt8, UInt8, UInt8)
}

/// One cell as it looks: an erased one is a space, since both look alike.
public struct TerminalCell: Hashable, Sendable {
  /// A character with its combining marks; empty in the second column of a wide one.
  public var text = " "
  /// Columns: 1 or 2; 0 in the second column of a wide character.
  public var width = 1
  public var isBold = false
  public var isItalic = false
  /// 0 none, 1 single, 2 double, 3 curly.
  public var underline = 0
  public var isBlinking = false
  public var isReverse = false
  public var isStruck = false
  /// 0 the default font, 1…9 the alternative ones (SGR 10…19).
  public var font = 0
  public var foreground = ReferenceColor.standard
  public var background = ReferenceColor.standard

  public init() {}

  /// Most cells hold one of these. Tests compare millions of cells in a build without optimization.
  private static let ascii = (0..<0x80).map { String(Unicode.Scalar(UInt8($0))) }

  init(_ cell: VTermScreenCell) {
    background = ReferenceColor(cell.bg, standard: UInt8(VTERM_COLOR_DEFAULT_BG.rawValue))
    // libvterm keeps the pen's other attributes in erased cells; common terminals use only its background.
    guard cell.chars.0 != 0 else { return }
    if cell.chars.0 == UInt32.max {
      text = ""
      width = 0
    } else if cell.chars.1 == 0, cell.chars.0 < 0x80 {
      text = Self.ascii[Int(cell.chars.0)]
      width = Int(cell.width)
    } else {
      let scalars = [cell.chars.0, cell.chars.1, cell.chars.2, cell.chars.3, cell.chars.4, cell.chars.5]
      text = String(String.UnicodeScalarView(scalars.prefix { $0 != 0 }.compactMap(Unicode.Scalar.init)))
      width = Int(cell.width)
    }
    foreground = ReferenceColor(cell.fg, standard: UInt8(VTERM_COLOR_DEFAULT_FG.rawValue))
    let attributes = cell.attrs
    isBold = attributes.bold != 0
    isItalic = attributes.italic != 0
    underline = Int(attributes.underline)
    isBlinking = attributes.blink != 0
    isReverse = attributes.reverse != 0
    isStruck = attributes.strike != 0
    font = Int(attributes.font)
  }
}

extension ReferenceColor {
  init(_ color: VTermColor, standard: UInt8) {
    if color.type & standard != 0 {
      self = .standard
    } else if color.type & UInt8(VTERM_COLOR_INDEXED.rawValue) != 0 {
      self = .indexed(color.indexed.idx)
    } else {
      self = .rgb(color.rgb.red, color.rgb.green, color.rgb.blue)
    }
  }
}

extension [TerminalCell] {
  /// The characters, without spaces at the end.
  public var text: String {
    var text = ""
    var spaces = 0
    for cell in self {
      if cell.text == " " {
        spaces += 1
      } else {
        text += String(repeating: " ", count: spaces) + cell.text
        spaces = 0
      }
    }
    return text
  }

  /// Without the blank cells at the end.
  public var trimmed: [TerminalCell] {
    let blank = TerminalCell()
    return Array(prefix((lastIndex { $0 != blank } ?? -1) + 1))
  }
}

extension [TerminalCell] {
  /// Adds a row's next cell. In the second half of a wide character libvterm leaves the old, invisible cell: here it looks like the
  /// first half.
  mutating func append(_ raw: VTermScreenCell) {
    var cell = TerminalCell(raw)
    if cell.width == 0, var whole = last {
      whole.text = ""
      whole.width = 0
      cell = whole
    }
    append(cell)
  }
}
