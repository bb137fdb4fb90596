/// What is fed with any bytes at all: a case for each reader of bytes that others write. The fuzzer looks for bytes that crash it,
/// and the tests feed it with the corpus of such bytes.
///
/// A new target is a case here, a folder of the same name in `Corpus`, and nothing else.
enum FuzzTarget: String, CaseIterable {
  /// Messages of the kernel, to the path that follows from them.
  case netlink
  /// What a terminal sends, to the program's input.
  case input
  /// What a program writes, to the grid.
  case screen
  /// What a program writes, to a terminal with a banner on it.
  case output
  /// What observers and a monitor or a window tell each other.
  case observer
  /// A file of settings.
  case configuration
  /// What a tmux server answers.
  case tmux
  /// A recording of what the kernel said, to the paths that follow from it.
  case transcript

  /// Must return, whatever the bytes are.
  func run(_ bytes: [UInt8]) {
    switch self {
    case .netlink: NetlinkTarget.run(bytes)
    case .input: InputTarget.run(bytes)
    case .screen: ScreenTarget.run(bytes)
    case .output: OutputTarget.run(bytes)
    case .observer: ObserverTarget.run(bytes)
    case .configuration: ConfigurationTarget.run(bytes)
    case .tmux: TmuxTarget.run(bytes)
    case .transcript: TranscriptTarget.run(bytes)
    }
  }
}
