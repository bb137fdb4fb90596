import Overline
import OverlineCore

/// One tmux server that the monitor drives: the real machine and the real presenter, on a thread of its own.
final class SimulatedWindow {
  let number: Int
  private unowned let monitor: SimulatedMonitor
  private let port: SimulatedPort
  private var machine: TmuxWindowMachine
  private var presenter: TmuxPresenter<SimulatedPort>
  private var completion: ((TmuxError?) -> Void)?

  init(
    _ number: Int, _ monitor: SimulatedMonitor, _ port: SimulatedPort, _ sessions: Set<String>, _ reserve: TmuxReserve
  ) {
    (self.number, self.monitor, self.port) = (number, monitor, port)
    machine = TmuxWindowMachine(reserve: reserve)
    presenter = TmuxPresenter(port, sessions: sessions, reserve: reserve)
  }

  var nextDeadline: Duration? { machine.nextDeadline }

  func show(_ content: TmuxContent) { handle(.contentChanged(content)) }

  func close(_ completion: @escaping (TmuxError?) -> Void) {
    if machine.hasEnded { return completion(nil) }
    self.completion = completion
    handle(.closed)
  }

  func handle(_ event: TmuxWindowMachine.Event) {
    guard monitor.isAlive else { return }
    for effect in machine.handle(event, at: monitor.world.now) { perform(effect) }
  }

  private func perform(_ effect: TmuxWindowMachine.Effect) {
    switch effect {
    case .present, .leave: monitor.later([port.server], within: .seconds(10)) { [self] _ in run(effect) }
    case .warn: break
    case .end(let isGone, let error):
      completion?(error)
      if isGone {
        let (server, number) = (port.server, number)
        monitor.later(.zero) { $0.handle(.tmux(.windowEnded(server, window: number))) }
      }
      monitor.windowClosed(self)
    }
  }

  private func run(_ effect: TmuxWindowMachine.Effect) {
    if machine.isAbandoned { return handle(.done(nil, isShowing: false)) }
    let before = presenter.inset
    var failure: TmuxError?
    do throws(TmuxError) {
      switch effect {
      case .present(let content, let reserve, let isAnew):
        try presenter.present(content, reserve: reserve, anew: isAnew, warn: { _ in })
      case .leave: try presenter.leave()
      case .warn, .end: break
      }
    } catch {
      failure = error
      if error.code == .serverGone, !machine.isAbandoned { presenter.forget() }
    }
    let (inset, isShowing) = (presenter.inset, presenter.isShowing)
    if inset != before {
      let (server, number) = (port.server, number)
      monitor.later(.zero) { $0.handle(.tmux(.insetChanged(server, window: number, inset))) }
    }
    monitor.later { [self] _ in
      handle(.done(failure, isShowing: isShowing))
    }
  }
}
