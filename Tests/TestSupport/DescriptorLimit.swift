package import OverlineProcess
internal import OverlineSystem

extension ResourceLimits {
  /// Sets the soft limit of open descriptors, for tests that run out of them.
  package static func setDescriptors(_ count: UInt) {
    var limit = rlimit()
    guard unsafe getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return }
    limit.rlim_cur = min(rlim_t(count), limit.rlim_max)
    _ = unsafe setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
  }
}
