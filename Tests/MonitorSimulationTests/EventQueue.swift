/// What happens later, in the order of its times. Of the same time, in the order in which it was added.
struct EventQueue {
  private var heap: [(time: Duration, number: Int, action: () -> Void)] = []
  private var count = 0

  var first: Duration? { heap.first?.time }

  private func precedes(_ left: Int, _ right: Int) -> Bool {
    (heap[left].time, heap[left].number) < (heap[right].time, heap[right].number)
  }

  mutating func add(at time: Duration, _ action: @escaping () -> Void) {
    count += 1
    heap.append((time, count, action))
    var index = heap.count - 1
    while index > 0, precedes(index, (index - 1) / 2) {
      heap.swapAt(index, (index - 1) / 2)
      index = (index - 1) / 2
    }
  }

  mutating func removeFirst() -> () -> Void {
    heap.swapAt(0, heap.count - 1)
    let first = heap.removeLast()
    var index = 0
    while true {
      var least = index
      for child in [index * 2 + 1, index * 2 + 2] where child < heap.count && precedes(child, least) { least = child }
      if least == index { return first.action }
      heap.swapAt(index, least)
      index = least
    }
  }
}
