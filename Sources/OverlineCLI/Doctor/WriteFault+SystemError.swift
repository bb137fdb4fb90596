internal import OverlineCore
internal import OverlineProcess
internal import OverlineSystem

extension WriteFault {
  /// Tries to write.
  ///
  /// - Parameter foreignPart: the part of the path that belongs to another user, if it caused the error.
  /// - Returns: nil if it succeeds.
  static func of(
    foreignPart: (SystemError) -> Files.ForeignPart?, writing: () throws(SystemError) -> Void
  ) -> WriteFault? {
    do {
      try writing()
      return nil
    } catch {
      if let part = foreignPart(error) {
        return WriteFault(text: "\(error)", cause: .foreign(part.fault, remedy: part.remedy))
      }
      let cause: Cause =
        if error.isNoSpace {
          .noSpace
        } else if error.isNoSuchFile {
          .noFolder
        } else {
          error.isPermissionDenied ? .denied : .other
        }
      return WriteFault(text: "\(error)", cause: cause)
    }
  }
}
