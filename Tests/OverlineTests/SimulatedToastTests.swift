import Dispatch
import NetworkPath
import Overline
import OverlineTestKit
import OverlineTestSupport
import Synchronization
import OverlineTestThread
import Testing

/// Toasts of a window without a terminal, as the library's users test them.
@Suite(.ownThread) struct SimulatedToastTests {
  @Test func theEndOfAToastCanBeAwaited() async throws {
    let network = try SimulatedNetwork("online")
    let window = network.window()
    let gone = Atomic(0)
    let toast = window.toast("One") { gone.add(1, ordering: .relaxed) }
    let ends = Recorder<Int>()
    let waiting = (0..<2).map { number in
      Task {
        await toast.ended()
        ends.record(number)
      }
    }
    await network.advance(by: .seconds(2))
    for _ in 0..<100 { await Task.yield() }
    #expect(ends.values.isEmpty)
    let impatient = Task { await window.toast("Two", duration: nil).ended() }
    impatient.cancel()
    await impatient.value
    await network.advance(by: .seconds(5))
    for task in waiting { await task.value }
    #expect(gone.load(ordering: .relaxed) == 1)
    await toast.ended()
  }

  @Test func aToastThatHasEndedIsNotShownAgain() async throws {
    let network = try SimulatedNetwork("online")
    let window = network.window()
    let toast = window.toast("One", duration: nil)
    window.present(toast)
    #expect(toast.isPresented)
    toast.dismiss()
    await network.advance(by: .seconds(1))
    #expect(!toast.isPresented && network.announcements == ["Info: One"])
    window.present(toast)
    #expect(!toast.isPresented)
  }

  @Test func aWindowThatEndsEndsItsToasts() async throws {
    let network = try SimulatedNetwork("online")
    let gone = Mutex<[String]>([])
    var window: TerminalWindow? = network.window()
    let toast = window!.toast("One") { gone.withLock { $0.append("one") } }
    window!.toast("Two") { gone.withLock { $0.append("two") } }
    await network.advance(by: .seconds(1))
    window = nil
    await network.advance(by: .seconds(1))
    #expect(gone.withLock { $0 } == ["one", "two"])
    #expect(!toast.isPresented)
  }

  @Test func logicNeedsNoTerminalToAskForAToast() {
    let messenger = Messenger()
    Uploads(toasts: messenger).finish()
    #expect(messenger.said.withLock { $0 } == ["Uploaded"])
  }

  /// As in a program whose default isolation is the main actor.
  @MainActor @Test func theEndOfAToastIsToldOnTheCallersActor() async throws {
    let network = try SimulatedNetwork("online")
    var told: [String] = []
    let toast = network.window().toast("One", message: nil) {
      MainActor.assertIsolated()
      told.append("one")
    }
    toast.dismiss()
    await network.advance(by: .seconds(1))
    await toast.ended()
    #expect(told == ["one"])
  }

  /// A type without a window of its own, and a toast that is nothing but a message.
  @Test func aToastDisplayableShowsInTheCurrentWindow() async throws {
    struct Page: ToastDisplayable {}
    let network = try SimulatedNetwork("online")
    let before = TerminalWindow.current
    defer { TerminalWindow.current = before }
    TerminalWindow.current = network.window()
    Page().toast(message: "Copied", duration: .seconds(4))
    await network.advance(by: .seconds(1))
    #expect(network.announcements == ["Info: Copied"])
  }

  private final class Messenger: ToastPresenting {
    let said = Mutex<[String]>([])
    func present(_ toast: Toast) { said.withLock { $0.append(toast.content.title) } }
  }

  @Test func aCustomPresenterReportsTheEndOfItsToasts() async {
    let board = Board()
    let gone = Atomic(0)
    let toast = board.toast("One") { gone.add(1, ordering: .relaxed) }
    #expect(toast.isPresented && board.shown.withLock { $0 } == ["One"])
    // It is there already.
    board.present(toast)
    #expect(board.shown.withLock { $0 } == ["One"])
    toast.dismiss()
    await toast.ended()
    #expect(!toast.isPresented && board.shown.withLock { $0 } == [] && gone.load(ordering: .relaxed) == 1)
    toast.dismiss()
    toast.end()
    board.present(toast)
    #expect(board.shown.withLock { $0 } == [] && gone.load(ordering: .relaxed) == 1)
  }

  private final class Board: ToastPresenting, Sendable {
    let shown = Mutex<[String]>([])

    func present(_ toast: Toast) {
      let isNew = toast.begin { [weak self, weak toast] in
        self?.shown.withLock { $0 = [] }
        toast?.end()
      }
      if isNew { shown.withLock { $0.append(toast.content.title) } }
    }
  }

  private struct Uploads<Toasts: ToastPresenting> {
    let toasts: Toasts
    func finish() { toasts.toast("Uploaded", style: .success) }
  }
}
