import Overline
import OverlineTestThread
import Testing
@testable import OverlineCore

/// When it is quiet. Hours are numbered from the midnight before.
@Suite(.ownThread) struct QuietPlanTests {
  private static let hours: [Range<Int64>] = [-2..<7, 22..<31, 46..<55]

  @Test(
    arguments: [
      // At, what the file says, the period.
      (12, QuietNote(), 22..<31), (3, QuietNote(), 3..<7), (23, QuietNote(), 23..<31), (31, QuietNote(), 46..<55),
      (60, QuietNote(), nil), (12, QuietNote(pause: 13), 12..<13), (13, QuietNote(pause: 13), 22..<31),
      // A pause that ends in the hours is followed by them.
      (23, QuietNote(pause: 24), 23..<31), (21, QuietNote(pause: 24), 21..<31), (21, QuietNote(pause: 22), 21..<31),
      // Hours that the user has ended stay ended after a pause, and the next night's are to come.
      (23, QuietNote(pause: 24, resumed: 31), 23..<24), (24, QuietNote(pause: 24, resumed: 31), 46..<55),
      // Only programs that do not know the hours need the monitor's word.
      (12, QuietNote(hours: 13), 22..<31),
      // The user has ended the night's hours, and the next night's are to come.
      (23, QuietNote(resumed: 31), 46..<55), (3, QuietNote(resumed: 7), 22..<31), (12, QuietNote(resumed: 7), 22..<31),
    ] as [(Int64, QuietNote, Range<Int64>?)])
  func periods(_ now: Int64, _ note: QuietNote, _ period: Range<Int64>?) {
    #expect(QuietPlan.period(note, hours: Self.hours, at: now) == period)
  }

  @Test func aWindowFollowsTheFile() {
    #expect(QuietPlan.period(QuietNote(hours: 13), hours: nil, at: 12) == 12..<13)
    #expect(QuietPlan.period(QuietNote(pause: 13), hours: nil, at: 12) == 12..<13)
    #expect(QuietPlan.period(QuietNote(pause: 13, hours: 14), hours: nil, at: 13) == 13..<14)
    #expect(QuietPlan.period(QuietNote(pause: 13), hours: nil, at: 13) == nil)
    #expect(QuietPlan.period(QuietNote(resumed: 13), hours: nil, at: 12) == nil)
    #expect(QuietPlan.period(QuietNote(), hours: nil, at: 12) == nil)
    #expect(QuietPlan.period(QuietNote(hours: 13), hours: [], at: 12) == nil, "the user has removed the hours")
  }

  @Test func theFileIsReadAsItIsWritten() {
    for note in [QuietNote(pause: 1_764_432_000_000), QuietNote(pause: 13, hours: -1, resumed: 31), QuietNote()] {
      #expect(QuietNote(note.text) == note)
    }
    for text in ["pause", "pause x", "pause 1 2", "until 1", "pause 99999999999999999999"] {
      #expect(QuietNote(text) == nil, "\(text)")
    }
  }

  @Test func hoursAreTwoTimesOfDay() {
    #expect(QuietHours("22:00-07:00")?.start == 1320)
    #expect(QuietHours("22:00-07:00")?.text == "22:00-07:00")
    for text in [
      "", "22-7", "22:00", "22:00-22:00", "24:00-07:00", "22:60-07:00", "2:00-07:00", "22:00-07:00-08:00",
      "２２:00-07:00", "+9:00-07:00",
    ] {
      #expect(QuietHours(text) == nil, "\(text)")
    }
  }
}
