extension String {
  /// One word of a POSIX shell that expands to exactly this text: everything is literal between single quotes except the single
  /// quote itself (POSIX.1-2024, Shell Command Language, 2.2.2).
  public var shellQuoted: String {
    var result = "'"
    for character in unicodeScalars {
      if character == "'" { result += "'\\''" } else { result.unicodeScalars.append(character) }
    }
    return result + "'"
  }
}
