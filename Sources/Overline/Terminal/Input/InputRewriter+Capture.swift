/// Keys that are not the program's: all of them while an alert asks, and what follows a toast's chord.
extension InputRewriter {
  /// What was meant for a toast or an alert since this was called last.
  package mutating func takeOverlayInput() -> [OverlayInput] {
    defer { overlayInput = [] }
    return overlayInput
  }

  /// Whether text must be looked at, byte by byte.
  var looksAtText: Bool { surroundings.isCapturing || surroundings.focusKey != nil || isToastFocused }

  /// Text, up to the next ESC.
  mutating func takeText(_ text: ArraySlice<UInt8>, into output: inout [UInt8]) {
    if surroundings.isCapturing {
      for byte in text { capture(AlertKey(character: byte) ?? .other) }
      return
    }
    for byte in text {
      // The chord twice is the program's.
      if byte == surroundings.focusKey, !isToastFocused {
        isToastFocused = true
      } else {
        isToastFocused = false
        output.append(byte)
      }
    }
  }

  /// Whether ESC on its own would be an overlay's.
  var takesEscape: Bool { surroundings.isCapturing || isToastFocused }

  /// ESC on its own.
  ///
  /// - Returns: whether it was meant for an overlay.
  mutating func takeEscape() -> Bool {
    if surroundings.isCapturing {
      capture(.dismiss)
      return true
    }
    guard isToastFocused else { return false }
    isToastFocused = false
    overlayInput.append(.toastEscaped)
    return true
  }

  /// A control sequence that is no report.
  ///
  /// - Returns: whether it is a key, and the program does not get it.
  mutating func takeKey(_ bytes: [UInt8]) -> Bool {
    guard looksAtText, let key = KeyReport(bytes) else { return false }
    if surroundings.isCapturing {
      capture(key.alertKey)
      return true
    }
    if key.isRelease { return false }
    if let control = key.control, control == surroundings.focusKey, !isToastFocused {
      isToastFocused = true
      return true
    }
    if isToastFocused, key.alertKey == .dismiss, key.code == 27 { return takeEscape() }
    isToastFocused = false
    return false
  }

  mutating func capture(_ key: AlertKey?) {
    if let key { overlayInput.append(.alertKey(key)) }
  }
}
