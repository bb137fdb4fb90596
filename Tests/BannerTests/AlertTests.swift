import Overline
import OverlineTestThread
import Testing

@Suite(.ownThread) struct AlertTests {
  private static let first = AlertID(rawValue: 1)
  private static let second = AlertID(rawValue: 2)

  private static func alert(_ title: String) -> Alert { Alert(title: title, buttons: ["Deploy", "Later", "Cancel"]) }

  /// An alert that has been visible long enough to be read.
  private static func asking() -> AlertMachine {
    var machine = AlertMachine()
    _ = machine.handle(.alertPosted(alert("Deploy?"), id: first), at: .zero)
    return machine
  }

  @Test(
    arguments: [
      ([AlertKey.confirm], 0), ([.nextButton, .confirm], 1), ([.previousButton, .confirm], 2),
      ([.nextButton, .nextButton, .nextButton, .confirm], 0), ([.button(1)], 1), ([.dismiss], nil),
    ] as [([AlertKey], Int?)])
  func keysAnswer(keys: [AlertKey], button: Int?) {
    var machine = Self.asking()
    var effects: [OverlayEffect] = []
    for key in keys { effects = machine.handle(.keyPressed(key), at: .seconds(1)) }
    #expect(effects == [.alertAnswered(Self.first, button: button)])
    #expect(machine.frame == nil)
  }

  /// Keys typed for the program when the alert came must not answer it.
  @Test func keysOfTheFirstMomentAreDropped() {
    var machine = Self.asking()
    #expect(machine.handle(.keyPressed(.confirm), at: .milliseconds(499)) == [])
    #expect(machine.handle(.buttonPressed(0), at: .milliseconds(499)) == [])
    #expect(machine.frame != nil)
    var another = Self.asking()
    #expect(!another.handle(.keyPressed(.confirm), at: .milliseconds(500)).isEmpty)
  }

  /// Keys that follow as fast belong to the same line, or to a key that is held down.
  @Test func whatIsTypedOnIsDropped() {
    var machine = Self.asking()
    for time in stride(from: 100, through: 3000, by: 30) {
      #expect(machine.handle(.keyPressed(.confirm), at: .milliseconds(time)) == [])
    }
    #expect(machine.handle(.keyPressed(.other), at: .seconds(5)) == [])
    #expect(machine.handle(.keyPressed(.confirm), at: .milliseconds(5200)) == [])
    #expect(!machine.handle(.keyPressed(.confirm), at: .seconds(6)).isEmpty)
  }

  /// The alert became visible a while after it was posted.
  @Test func theFirstMomentBeginsWhenItCanBeSeen() {
    var machine = Self.asking()
    _ = machine.handle(.alertAppeared, at: .seconds(4))
    #expect(machine.handle(.keyPressed(.confirm), at: .milliseconds(4300)) == [])
    #expect(machine.frame != nil)
  }

  @Test func anAlertThatCannotBeShownIsRejected() {
    var machine = Self.asking()
    _ = machine.handle(.alertPosted(Self.alert("And this?"), id: Self.second), at: .zero)
    let effects = machine.handle(.alertsRefused(.noRoom), at: .seconds(1))
    #expect(effects == [.alertRefused(Self.first, .noRoom), .alertRefused(Self.second, .noRoom)])
    #expect(machine.frame == nil)
  }

  @Test func oneAsksAndTheOthersWait() {
    var machine = Self.asking()
    _ = machine.handle(.alertPosted(Self.alert("Delete?"), id: Self.second), at: .seconds(1))
    #expect(machine.frame?.alert.title == "Deploy?")
    _ = machine.handle(.keyPressed(.nextButton), at: .seconds(2))
    _ = machine.handle(.keyPressed(.confirm), at: .seconds(2))
    #expect(machine.frame?.alert.title == "Delete?")
    #expect(machine.frame?.focus == 0)
    // A second Enter right after the first does not answer the next alert.
    #expect(machine.handle(.keyPressed(.confirm), at: .milliseconds(2100)) == [])
    #expect(
      machine.handle(.keyPressed(.dismiss), at: .seconds(3)).first == .alertAnswered(Self.second, button: nil))
  }

  @Test func withdrawnAlertsDisappear() {
    var machine = Self.asking()
    _ = machine.handle(.alertPosted(Self.alert("Delete?"), id: Self.second), at: .seconds(1))
    #expect(machine.handle(.alertWithdrawn(Self.second), at: .seconds(1)) == [])
    #expect(machine.handle(.alertWithdrawn(Self.first), at: .seconds(1)) == [])
    #expect(machine.handle(.alertWithdrawn(Self.first), at: .seconds(1)) == [])
    #expect(machine.frame == nil)
  }

  @Test func thereIsNoSuchButton() {
    var machine = Self.asking()
    #expect(machine.handle(.keyPressed(.button(7)), at: .seconds(1)) == [])
    #expect(machine.handle(.buttonPressed(-1), at: .seconds(1)) == [])
    #expect(machine.frame != nil)
  }
}
