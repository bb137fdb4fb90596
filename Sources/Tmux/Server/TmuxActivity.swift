extension TmuxServer {
  /// When a person last did something in this server, in seconds since 1970 by the server's clock; nil while no client is attached.
  /// Those in control mode are programs.
  public func lastActivity(timeout: Duration = patience) throws(TmuxError) -> Int? {
    let question = ["list-clients", "-F", "#{?client_control_mode,,#{client_activity}}"]
    return ServerReading.lines(try run([question], timeout: timeout)).compactMap { Int($0) }.max()
  }
}
