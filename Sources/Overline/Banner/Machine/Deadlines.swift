extension Duration? {
  /// The earlier of two deadlines; nil is none.
  package func earlier(_ other: Duration?) -> Duration? {
    switch (self, other) {
    case (let first?, let second?): min(first, second)
    case (let deadline, nil), (nil, let deadline): deadline
    }
  }
}
