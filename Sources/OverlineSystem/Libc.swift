// The only import of the C library: another one (Musl, Android) is a change of this line. Every file of this package that imports
// OverlineSystem sees it; programs that use the package do not, since no library re-exports OverlineSystem.
@_exported public import Glibc

// Types of the C library's headers may belong to this module, which includes them too.
@_exported public import COverline
