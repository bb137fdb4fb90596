/// The least program in Swift. What `overline-bench` holds a program with the library against.
@main
enum BenchNothing {
  static func main() {}
}
