/// The smallest program in Swift, the baseline for `OverlineBench`'s program with the library.
@main
enum OverlineBenchNothing {
  static func main() {}
}
