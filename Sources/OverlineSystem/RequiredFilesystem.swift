/// Ends the process with a sentence and status 71 (`EX_OSERR` of sysexits.h) where proc(5) is not mounted.
///
/// Dispatch reads the states of its threads there. Without it, it ends the process by an illegal instruction, at a moment that depends on
/// the number of threads. So a library that makes queues calls this first.
///
/// - Parameter library: the name of the module that cannot work.
package func requireProc(for library: String) {
  guard unsafe access("/proc/self/stat", F_OK) != 0 else { return }
  let sentence =
    "\(library) needs /proc, which is not mounted here: Dispatch, which runs its queues, reads the states of its threads there.\n"
  try? writeAll(Array(sentence.utf8), to: 2)
  exit(71)
}
