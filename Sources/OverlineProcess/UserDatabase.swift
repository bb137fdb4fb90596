internal import OverlineSystem

/// Queries of the user and group databases (getpwuid(3), getgrgid(3)).
enum UserDatabase {
  /// The limit. It is longer than one user's entry; a group with a longer entry has many members.
  private static let maximumEntryLength = 4096

  /// Whether a group belongs to this user alone: it has the user's name, as useradd(8) creates it, and no other members. That the group is
  /// primary is not enough, since all users may share a primary group.
  static func isOwnGroup(_ group: UInt32) -> Bool {
    guard let user = userName else { return false }
    var entry = unsafe Glibc.group()
    var found: UnsafeMutablePointer<Glibc.group>?
    return unsafe withUnsafeTemporaryAllocation(of: CChar.self, capacity: maximumEntryLength) { buffer in
      guard unsafe getgrgid_r(group, &entry, buffer.baseAddress!, buffer.count, &found) == 0, unsafe found != nil,
        unsafe String(cString: entry.gr_name) == user, var member = unsafe entry.gr_mem
      else { return false }
      while let name = unsafe member.pointee {
        if unsafe String(cString: name) != user { return false }
        unsafe member += 1
      }
      return true
    }
  }

  private static var userName: String? {
    var entry = unsafe passwd()
    var found: UnsafeMutablePointer<passwd>?
    return unsafe withUnsafeTemporaryAllocation(of: CChar.self, capacity: maximumEntryLength) { buffer in
      guard
        unsafe getpwuid_r(ProcessEnvironment.userID, &entry, buffer.baseAddress!, buffer.count, &found) == 0,
        unsafe found != nil
      else { return nil }
      return unsafe String(cString: entry.pw_name)
    }
  }
}
