import COverlineNetlink
import Glibc
@testable import NetworkPath
import OverlineTestThread
import Testing

/// The model imports no C library, so it has the kernel's numbers itself.
@Suite(.ownThread) struct KernelConstantTests {
  @Test func theModelHasTheNumbersOfTheHeaders() {
    #expect(Errno.noDevice == ENODEV)
    #expect(Errno.notSupported == EOPNOTSUPP)
    #expect(AddressFlag.optimistic == UInt32(IFA_F_OPTIMISTIC))
    #expect(AddressFlag.duplicate == UInt32(IFA_F_DADFAILED))
    #expect(AddressFlag.tentative == UInt32(IFA_F_TENTATIVE))
    #expect(UInt32(AddressScope.link) == RT_SCOPE_LINK.rawValue)
  }
}
