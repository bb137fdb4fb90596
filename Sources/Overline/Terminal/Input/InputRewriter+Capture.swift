/// Keys that the program does not receive: all keys while an alert is open, and the key after a toast's chord.
extension InputRewriter {
  /// Returns the input for toasts and alerts since the last call.
  package mutating func takeOverlayInput() -> [OverlayInput] {
    defer { overlayInput = [] }
    return overlayInput
  }

  /// Whether text must be inspected byte by byte.
  var looksAtText: Bool { context.isCapturing || context.focusKey != nil || isToastFocused }

  /// Handles text up to the next ESC.
  mutating func takeText(_ text: ArraySlice<UInt8>, into output: inout [UInt8]) {
    if context.isCapturing {
      for byte in text { capture(AlertKey(character: byte) ?? .other) }
      return
    }
    for byte in text {
      // The second chord in a row goes to the program.
      if byte == context.focusKey, !isToastFocused {
        isToastFocused = true
      } else {
        isToastFocused = false
        output.append(byte)
      }
    }
  }

  /// Whether an overlay receives an ESC on its own.
  var takesEscape: Bool { context.isCapturing || isToastFocused }

  /// ESC on its own.
  ///
  /// - Returns: whether an overlay received it.
  mutating func takeEscape() -> Bool {
    if context.isCapturing {
      capture(.dismiss)
      return true
    }
    guard isToastFocused else { return false }
    isToastFocused = false
    overlayInput.append(.toastEscaped)
    return true
  }

  /// Handles a control sequence that is not a report.
  ///
  /// - Returns: true for a key that the program does not receive.
  mutating func takeKey(_ bytes: [UInt8]) -> Bool {
    guard looksAtText, let key = KeyReport(bytes) else { return false }
    if context.isCapturing {
      capture(key.alertKey)
      return true
    }
    if key.isRelease { return false }
    if let control = key.control, control == context.focusKey, !isToastFocused {
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
