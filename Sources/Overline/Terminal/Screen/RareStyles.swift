/// Links and colours of underlines. Few cells have one, so a cell stores only a number.
///
/// Bounded: when there are many numbers, those that no cell uses any more are freed. Beyond a mebibyte of links, text is shown without its
/// link.
struct RareStyles: Sendable {
  struct Entry: Hashable, Sendable {
    var underlineColor = CellColor.standard
    /// The place in `links`, from 1 on; 0 for none.
    var link = 0
  }

  static let maximumLinkLength = 4096
  private static let linkCapacity = 1 << 20
  private static let entryCapacity = 0xfffe

  private(set) var entries: [Entry] = [Entry()]
  private(set) var links: [Hyperlink?] = [nil]
  private var numbers: [Entry: UInt16] = [:]
  private var linkNumbers: [Hyperlink: Int] = [:]
  private var linkBytes = 0
  /// The bytes of new links since the last collection, including links without room.
  private var newLinkBytes = 0
  /// The number of entries at which unused numbers are collected.
  private(set) var nextCollection = 1024

  var needsCollection: Bool {
    entries.count >= nextCollection || links.count >= nextCollection || newLinkBytes > Self.linkCapacity / 4
  }

  func link(_ number: UInt16) -> Hyperlink? { links[entries[Int(number)].link] }

  /// 0 when there is no room.
  mutating func linkNumber(_ link: Hyperlink) -> Int {
    if let number = linkNumbers[link] { return number }
    let size = link.parameters.count + link.target.count
    newLinkBytes += size
    guard linkBytes + size <= Self.linkCapacity else { return 0 }
    linkBytes += size
    links.append(link)
    linkNumbers[link] = links.count - 1
    return links.count - 1
  }

  mutating func number(_ entry: Entry) -> UInt16 {
    if entry == Entry() { return 0 }
    if let number = numbers[entry] { return number }
    guard entries.count < Self.entryCapacity else { return 0 }
    entries.append(entry)
    let number = UInt16(entries.count - 1)
    numbers[entry] = number
    return number
  }

  /// Keeps only the entries in use.
  ///
  /// - Returns: the new number for each old one.
  mutating func collect(_ isUsed: [Bool]) -> [UInt16] {
    let old = self
    self = RareStyles()
    var renumbered = [UInt16](repeating: 0, count: old.entries.count)
    for index in 1..<max(1, old.entries.count) where isUsed[index] {
      var entry = old.entries[index]
      if let link = old.links[entry.link] { entry.link = linkNumber(link) }
      renumbered[index] = number(entry)
    }
    newLinkBytes = 0
    nextCollection = max(1024, min(entries.count * 2, Self.entryCapacity))
    return renumbered
  }
}

/// Characters with combining marks: the scalars of each, in places of the same size.
struct Clusters: Sendable {
  /// A character and fifteen marks. Further marks are dropped, as in terminals: libvterm keeps five.
  static let capacity = 16

  private var scalars: [UInt32] = []
  private(set) var nextCollection = 4096

  var count: Int { scalars.count / Self.capacity }
  var needsCollection: Bool { count >= nextCollection }

  func scalars(_ number: UInt32) -> ArraySlice<UInt32> {
    let start = Int(number) * Self.capacity
    return scalars[start..<start + Self.capacity].prefix { $0 != 0 }
  }

  /// - Returns: the number of a new cluster with the mark added; nil when the cluster is full.
  mutating func appending(_ mark: UInt32, to base: [UInt32]) -> UInt32? {
    guard base.count < Self.capacity else { return nil }
    scalars += base
    scalars.append(mark)
    for _ in base.count + 1..<Self.capacity { scalars.append(0) }
    return UInt32(count - 1)
  }

  mutating func collect(_ isUsed: [Bool]) -> [UInt32] {
    var renumbered = [UInt32](repeating: 0, count: count)
    var kept: [UInt32] = []
    for index in 0..<count where isUsed[index] {
      renumbered[index] = UInt32(kept.count / Self.capacity)
      kept += scalars[index * Self.capacity..<(index + 1) * Self.capacity]
    }
    scalars = kept
    nextCollection = max(4096, count * 2)
    return renumbered
  }
}
