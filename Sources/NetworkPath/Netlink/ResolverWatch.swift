internal import OverlineSystem

/// The nameservers of this machine, as the files say now.
struct ResolverFiles: Sendable {
  /// Path of the resolv.conf(5).
  var configuration = "/etc/resolv.conf"
  /// The servers that systemd-resolved's stub asks (systemd-resolved(8)).
  var upstream = "/run/systemd/resolve/resolv.conf"

  func nameservers() -> [IPAddress] {
    let listed = nameservers(in: configuration)
    guard Self.isStub(listed) else { return listed }
    let upstream = nameservers(in: upstream)
    return upstream.isEmpty ? listed : upstream
  }

  /// Whether only the stub on this machine is asked, which asks others.
  static func isStub(_ nameservers: [IPAddress]) -> Bool { nameservers == [IPAddress("127.0.0.53")] }

  func nameservers(in path: String) -> [IPAddress] {
    guard let bytes = try? Files.read(path) else { return [] }
    return ResolverConfiguration.nameservers(in: String(decoding: bytes, as: UTF8.self))
  }
}

/// The nameservers, read once and again only when a file has changed. Where files cannot be watched (the user's inotify instances
/// are used up), they are read each time.
///
/// Not to be used by two threads at once: a watcher uses it on its queue only.
final class ResolverWatch: @unchecked Sendable {
  private let files: ResolverFiles
  private var watch: FileWatch
  private var known: [IPAddress]?
  private var others: [String] = []
  /// Why the nameservers' files could not be watched when they were read last.
  private var failure: SystemError?

  init(_ files: ResolverFiles) throws(SystemError) {
    self.files = files
    watch = try FileWatch()
  }

  /// Readable when a file may have changed.
  var descriptor: Int32 { watch.rawValue }

  func nameservers() -> [IPAddress] {
    if let known { return known }
    do {
      // Watched before they are read, so that no change falls between.
      try arm([files.configuration])
      if ResolverFiles.isStub(files.nameservers(in: files.configuration)) {
        try arm([files.configuration, files.upstream])
      }
      known = files.nameservers()
      return known ?? []
    } catch {
      failure = error
      return files.nameservers()
    }
  }

  /// Whether other nameservers than the known ones are listed now. Throws when that cannot be told any more.
  func takeChange() throws(SystemError) -> Bool {
    try watch.drain()
    guard let old = known else {
      // They were read, but not watched: there may be others since.
      try arm([files.configuration])
      return true
    }
    known = nil
    let hasChanged = nameservers() != old
    if let failure {
      self.failure = nil
      throw failure
    }
    return hasChanged
  }

  /// Makes ``descriptor`` readable for changes of these files too. Throws where one of them cannot be watched, as in a folder that may not
  /// be looked into: that is no reason to miss a nameserver, and what can be watched is.
  func watchAlso(_ others: [String]) throws(SystemError) {
    self.others = others
    known = nil
    try arm([files.configuration])
    try watch.watch([files.configuration] + others)
  }

  private func arm(_ paths: [String]) throws(SystemError) {
    do throws(SystemError) {
      try watch.watch(paths + others)
    } catch {
      if others.isEmpty || error.isOutOfFileWatches { throw error }
      try watch.watch(paths)
    }
  }
}
