/// A value that a decision computes at its first use.
final class Memo<Value> {
  var value: Value?

  func value(_ find: () -> Value) -> Value {
    if let value { return value }
    let found = find()
    value = found
    return found
  }
}
