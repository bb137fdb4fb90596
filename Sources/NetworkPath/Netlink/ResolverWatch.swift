internal import OverlineSystem

/// The nameservers of this machine, read from the files now.
struct ResolverFiles: Sendable {
  /// Path of the resolv.conf(5).
  var configuration = "/etc/resolv.conf"
  /// Path of the list of servers that systemd-resolved's stub asks (systemd-resolved(8)).
  var upstream = "/run/systemd/resolve/resolv.conf"

  func nameservers() -> [Nameserver] {
    let listed = nameservers(in: configuration)
    guard Self.isStub(listed) else { return listed }
    let upstream = nameservers(in: upstream)
    return upstream.isEmpty ? listed : upstream
  }

  /// Whether the stub on this machine, which asks other servers, is the only nameserver.
  static func isStub(_ nameservers: [Nameserver]) -> Bool { nameservers.map(\.description) == ["127.0.0.53"] }

  func nameservers(in path: String) -> [Nameserver] {
    guard let bytes = try? Files.read(path) else { return [] }
    return ResolverConfiguration.nameservers(in: String(decoding: bytes, as: UTF8.self))
  }
}

/// The nameservers. The files are read once, and again only after a change. When they cannot be watched (the user's inotify instances are
/// used up), they are read each time.
///
/// Not thread-safe: a watcher uses it on its queue only.
final class ResolverWatch: @unchecked Sendable {
  private let files: ResolverFiles
  private var watch: FileWatch
  private var known: [Nameserver]?
  private var others: [String] = []
  /// The error of the last attempt to watch the nameservers' files, made when they were read.
  private var failure: SystemError?

  init(_ files: ResolverFiles) throws(SystemError) {
    self.files = files
    watch = try FileWatch()
  }

  /// Readable when a file may have changed.
  var descriptor: Int32 { watch.rawValue }

  func nameservers() -> [Nameserver] {
    if let known { return known }
    do {
      // Watch before reading, so that no change is missed in between.
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

  /// Whether the listed nameservers have changed. Throws when the files can no longer be watched.
  func takeChange() throws(SystemError) -> Bool {
    try watch.drain()
    guard let old = known else {
      // The files were read but not watched: they may list other nameservers now.
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

  /// Makes ``descriptor`` readable for changes of these files too. Throws when one of them cannot be watched, such as in a folder without
  /// search permission. The nameservers' files and all other files are still watched.
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
