internal import COverline
internal import COverlineNetlink

/// An assembler for the classic programs that the kernel runs on a socket's messages (filter.h): one accumulator, one index
/// register, sixteen words of memory, jumps forward only.
struct FilterProgram {
  /// `struct sock_filter`.
  private struct Instruction {
    var code: UInt16
    var ifTrue: UInt8 = 0
    var ifFalse: UInt8 = 0
    var value: UInt32 = 0
  }

  /// The target of a jump; `next` is the instruction after it.
  enum Label: Hashable {
    case next
    case named(String)
    /// One of several places of the same kind.
    case numbered(String, Int)
  }

  enum Test: UInt16 {
    case isEqual = 0x15
    case isGreater = 0x25
    case isAtLeast = 0x35
    case hasBit = 0x45
  }

  private var instructions: [Instruction] = []
  private var places: [Label: Int] = [:]
  private var jumps: [(index: Int, then: Label, otherwise: Label)] = []
  private var farJumps: [(index: Int, to: Label)] = []

  private mutating func add(_ code: UInt16, _ value: UInt32 = 0) {
    instructions.append(Instruction(code: code, value: value))
  }

  // MARK: Loads. They read the message's bytes as a number in network order; a load outside of the message drops it.

  mutating func loadByte(_ offset: UInt32) { add(0x30, offset) }
  mutating func loadHalf(_ offset: UInt32) { add(0x28, offset) }
  mutating func loadWord(_ offset: UInt32) { add(0x20, offset) }
  /// The word `offset` bytes after the position in the index register.
  mutating func loadWord(afterIndex offset: UInt32) { add(0x40, offset) }
  mutating func load(number: UInt32) { add(0x00, number) }
  mutating func load(memory slot: UInt32) { add(0x60, slot) }
  mutating func loadIndex(number: UInt32) { add(0x01, number) }
  mutating func loadIndex(memory slot: UInt32) { add(0x61, slot) }
  mutating func store(memory slot: UInt32) { add(0x02, slot) }
  mutating func copyToIndex() { add(0x07) }

  /// Searches for the attribute of this type from an offset on. Loads its position, or 0 when it is missing (`SKF_AD_OFF + SKF_AD_NLATTR`).
  mutating func find(attribute type: UInt32, from offset: UInt32) {
    loadIndex(number: type)
    load(number: offset)
    loadWord(0xffff_f00c)
  }

  // MARK: Arithmetic

  mutating func subtract(_ number: UInt32) { add(0x14, number) }
  mutating func subtractIndex() { add(0x1c) }
  mutating func exclusiveOr(_ number: UInt32) { add(0xa4, number) }
  mutating func and(_ number: UInt32) { add(0x54, number) }
  mutating func andIndex() { add(0x5c) }
  mutating func shiftLeftByIndex() { add(0x6c) }

  // MARK: Control

  mutating func mark(_ label: Label) { places[label] = instructions.count }

  /// Jumps at most 255 instructions.
  mutating func jump(if test: Test, _ number: UInt32, _ then: Label = .next, else otherwise: Label = .next) {
    jumps.append((instructions.count, then, otherwise))
    add(test.rawValue, number)
  }

  /// Jumps any distance.
  mutating func jump(to label: Label) {
    farJumps.append((instructions.count, label))
    add(0x05)
  }

  /// Ends the program: the whole message passes.
  mutating func accept() { add(0x06, .max) }
  /// Ends the program: the message is dropped.
  mutating func drop() { add(0x06, 0) }

  /// Attaches the program to a socket, in place of the earlier one.
  func attach(to descriptor: Int32) throws(NetlinkError) {
    var program = instructions
    for (index, then, otherwise) in jumps {
      program[index].ifTrue = UInt8(distance(from: index, to: then))
      program[index].ifFalse = UInt8(distance(from: index, to: otherwise))
    }
    for (index, label) in farJumps { program[index].value = UInt32(distance(from: index, to: label)) }
    let result = unsafe program.withUnsafeBytes {
      unsafe csystem_attach_filter(descriptor, $0.baseAddress!, UInt16(program.count))
    }
    if result < 0 { throw .refusedFilter(-result) }
  }

  private func distance(from index: Int, to label: Label) -> Int {
    if label == .next { return 0 }
    guard let place = places[label] else { preconditionFailure("a jump to \(label), which is nowhere") }
    return place - index - 1
  }
}
