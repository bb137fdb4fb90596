/// The least program in Swift. What `OverlineBench` holds a program with the library against.
@main
enum OverlineBenchNothing {
  static func main() {}
}
