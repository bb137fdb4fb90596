/// The state that a program has saved: a cursor for each screen (DECSC), and modes (XTSAVE).
struct Saved {
  private var primary: Screen.SavedCursor?
  private var alternate: Screen.SavedCursor?
  var modes: [PrivateMode: Bool] = [:]

  subscript(kind: Screen.Kind) -> Screen.SavedCursor? {
    get { kind == .primary ? primary : alternate }
    set { if kind == .primary { primary = newValue } else { alternate = newValue } }
  }
}
