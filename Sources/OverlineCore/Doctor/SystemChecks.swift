package import NetworkPath

/// Checks of the kernel's interfaces and of the user.
package enum SystemChecks {
  /// - Parameter release: `6.1.0-13-amd64`.
  package static func kernel(release: String) -> Finding {
    let numbers = release.split(separator: ".").prefix(2).compactMap { Int($0.prefix { $0.isNumber }) }
    guard numbers.count == 2 else {
      return .note("kernel", "the version of Linux \(release) cannot be parsed", "overline needs 5.3 or later")
    }
    let version = (numbers[0], numbers[1])
    // NETLINK_GET_STRICT_CHK and RTM_NEWNEXTHOP.
    if version < (4, 20) {
      return .note(
        "kernel", "Linux \(release) has neither strict checks nor nexthop objects",
        "its answers may be wrong with policy routing; 5.3 or later has both")
    }
    // Hooks, checks and --while need pidfd_open(2).
    if version < (5, 3) {
      return .note(
        "kernel", "Linux \(release) does not report the end of a process: hooks, the check and --while do not work",
        "use 5.3 or later")
    }
    return .ok("kernel", "Linux \(release), with strict checks and nexthop objects")
  }

  /// - Parameter opened: the path from the filtered sockets, or their error.
  package static func netlink(opened: Result<NWPath, any Error>) -> Finding {
    switch opened {
    case .success(let path) where path.isKnown:
      .ok("netlink", "the kernel answers, and filters for us; \(path.explanation)")
    case .success(let path):
      .problem("netlink", path.explanation, "allow AF_NETLINK in the sandbox or unit that this runs in")
    case .failure(let error):
      .problem("netlink", "\(error)", "allow AF_NETLINK in the sandbox or unit that this runs in")
    }
  }

  /// - Parameters:
  ///   - opened: success if an inotify instance could be opened, or the error.
  ///   - remedy: how the user gets more inotify instances.
  package static func files(opened: Result<Void, any Error>, remedy: String) -> Finding {
    switch opened {
    case .success: .ok("files", "changes of files are reported")
    case .failure(let error):
      .problem("files", "\(error): the monitor does not follow its configuration", remedy)
    }
  }

  /// - Parameter opened: success if the kernel reports changes of its neighbour table, or its error.
  package static func router(opened: Result<Void, any Error>) -> Finding {
    switch opened {
    case .success: .ok("router", "a router that stops answering is noticed")
    case .failure(let error):
      .note(
        "router", "a router that stops answering is not noticed: \(error)",
        "allow netlink sockets in this sandbox, or name a server in [check]")
    }
  }

  /// - Parameter opened: success if the kernel lists its TCP sockets and counts datagrams, or its error.
  package static func connections(opened: Result<Void, any Error>) -> Finding {
    switch opened {
    case .success: .ok("connections", "TCP connections that nothing answers are noticed")
    case .failure(let error):
      .note(
        "connections", "TCP connections that nothing answers are not noticed: \(error)",
        "load the kernel's module tcp_diag (CONFIG_INET_DIAG), or name a server in [check]")
    }
  }

  /// - Parameter reading: the quality by one look.
  package static func quality(_ reading: QualityReading) -> Finding {
    guard let words = reading.wordsOfOneLook else {
      return .ok("quality", "unknown now; overline quality looks longer")
    }
    return reading.level == .good
      ? .ok("quality", words) : .note("quality", words, "see which programs wait: overline quality")
  }

  /// - Parameters:
  ///   - listed: success if the kernel lists TCP and Unix sockets, or its error.
  ///   - hasChildren: whether the kernel lists a process's children.
  package static func answers(listed: Result<Void, any Error>, hasChildren: Bool) -> Finding {
    let words = "overline run does not show when ssh has no answer"
    guard case .success = listed else {
      return .note(
        "answers", "\(words): the kernel lists no sockets", "load its modules tcp_diag and unix_diag (CONFIG_INET_DIAG)"
      )
    }
    if !hasChildren {
      return .note(
        "answers", "\(words): the kernel lists no children of a process", "use a kernel with CONFIG_PROC_CHILDREN")
    }
    return .ok("answers", "overline run shows when ssh, or another program in it, has no answer")
  }

  package static func privileges(userID: UInt32) -> Finding {
    userID == 0
      ? .note("user", "this is root; a monitor of root serves programs of root only", "run overline as yourself")
      : .ok("user", "no privilege is needed")
  }
}
