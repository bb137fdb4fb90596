import Foundation
import NetworkPath
import Overline
import OverlineProcess
import OverlineSystem
import OverlineTestThread
import Testing
@testable import OverlineCore

@Suite(.ownThread) struct ConfigurationValueTests {
  @Test func theDocumentedFileHoldsEveryDefault() throws {
    let text = Configuration.documented
    #expect(try parsed(text) == Configuration())
    // Line by line, since a missing key would have its default too.
    let withoutComments = text.split(separator: "\n").filter { !$0.hasPrefix("#") }.joined(separator: "\n")
    #expect(withoutComments + "\n" == Configuration().toml.replacing("\n\n", with: "\n"))
    #expect(text.split(separator: "\n").allSatisfy { !$0.hasPrefix("#") || $0.count <= 80 })
  }

  @Test("each table and key is explained") func eachKeyIsDocumented() {
    for table in Configuration.documentation {
      for key in table.keys { #expect(!key.text.isEmpty, "\(table.name).\(key.name)") }
      // The other styles follow the first one's explanation.
      #expect(!table.text.isEmpty || table.name.hasPrefix("toast."), "\(table.name)")
    }
  }

  /// It finds names only: one that another property has too may still be unused.
  @Test("each property is read from the file, and used outside this folder") func eachPropertyIsReadAndUsed() throws {
    let folder = #filePath.split(separator: "/").dropLast(3).reduce("") { "\($0)/\($1)" } + "/Sources"
    func source(_ file: String) throws -> String {
      String(decoding: try Files.read("\(folder)/OverlineCore/Configuration/\(file).swift"), as: UTF8.self)
    }
    // Without the words that explain the keys.
    let reading = try source("ConfigurationKeys").replacing(/"""[\s\S]*?"""/, with: "")
    let read = Set(
      reading.matches(of: /&(?:\w+\.)*(\w+)/).map { String($0.1) }
        + reading.matches(of: /(\w+)[.\[]/).map { String($0.1) })
    let declared = try source("Configuration").matches(of: /\n +package var (\w+)[^{\n]*(?=\n)/).map { String($0.1) }
    #expect(declared.count > 15)
    // Types of other folders. Their remaining properties are for commands and programs.
    let elsewhere: [Any] = [
      BannerSettings(), BannerAppearance.offline, PathOptions(), CheckSettings.standard, ToastInputSettings(),
    ]
    let others: Set = ["icon", "families", "interface", "requiredInterfaceType", "prohibitedInterfaceTypes"]
    let names = Set(elsewhere.flatMap { Mirror(reflecting: $0).children.compactMap(\.label) }).subtracting(others)
    #expect(names.count > 20)
    #expect((declared + names).filter { !read.contains($0) } == [], "no call in ConfigurationKeys.swift")
    // Local values: the server's name, and one of the attributes.
    let keys = reading.matches(of: /"[a-z-]+"[^"\n]*&(?:\w+\.)*(\w+),/).map { String($0.1) }
    let users = try Subprocess.run(
      "grep", ["-rhoE", "--include=*.swift", "--exclude-dir=Configuration", "\\.[a-zA-Z]+\\b", folder])
    let used = Set(users.outputText.split(separator: "\n").map { String($0.dropFirst()) } + ["server", "isBold"])
    #expect(keys.count > 30)
    #expect(keys.filter { !used.contains($0) } == [], "used nowhere")
  }

  /// `make record` writes it.
  @Test("config/overline.toml is the documented file") func theDocumentedFileIsRecorded() throws {
    let path = #filePath.split(separator: "/").dropLast(3).reduce("") { "\($0)/\($1)" } + "/config/overline.toml"
    let text = Configuration.documented
    if ProcessEnvironment["OVERLINE_RECORD"] != nil {
      try Files.replace(path, with: Array(text.utf8), permissions: 0o644)
    }
    #expect(String(decoding: try Files.read(path), as: UTF8.self) == text, "make record")
  }

  @Test func whatIsShownReadsBackToTheSame() throws {
    var configuration = Configuration()
    #expect(try parsed(configuration.toml) == configuration)
    configuration.banner.graceDelay = .zero
    configuration.banner.hideDelay = .microseconds(1_500_250)
    configuration.banner.motion = .off
    configuration.banner.contrast = .enforce
    configuration.banner.offline = BannerAppearance(
      title: "C:\\ \"net\" ünï ⚠", backgroundColor: .ansi(.brightRed), textColor: .ansi(.black), height: 3,
      titleTopInset: 2, icon: .warning)
    configuration.path.ignored = [try InterfaceGlob("docker*"), try InterfaceGlob("[!a-c]?")]
    configuration.path.expensive = [try InterfaceGlob("wwan0")]
    configuration.path.targets = [
      try PathTarget(name: "Office-2", network: "10.20.0.0/16"), try PathTarget(name: "nas", network: "2001:db8::7"),
      try PathTarget(name: "z", network: "10.30.0.0/16", byRoute: .any),
    ]
    configuration.tmux.reserve = .always
    configuration.toast.policy = .replace
    configuration.toast.duration = .zero
    configuration.toast.edge = .bottom
    configuration.toast.input = ToastInputSettings(focusKey: 0x14, mouse: true)
    for style in ToastStyle.allCases {
      configuration.toast.appearances[style]?.textColor = .ansi(.brightYellow)
      configuration.toast.appearances[style]?.backgroundColor = .ansi(.black)
    }
    #expect(try parsed(configuration.toml) == configuration)
    // A key with its default would read back to the same unread.
    let unchanged = zip(configuration.sections, Configuration().sections).flatMap { changed, standard in
      zip(changed.keys, standard.keys).filter { $0.value == $1.value }.map { "\(changed.name).\($0.0.name)" }
    }
    #expect(unchanged.filter { $0.hasPrefix("toast.") } == [], "give it another value above")
  }

  @Test func everyKeyIsRead() throws {
    let configuration = try parsed(
      """
      banner.grace-delay = "0s"
      [banner]
      """.replacing("[banner]", with: "") + """
        banner.offline = { title = "Offline", background = "red", text = "bright-white", bold = false, height = 2, title-top-inset = 1 }
        path."ignore" = [ 'docker*', # a comment
          "veth?" ]
        [tmux]
        reserve = "never"
        """)
    #expect(configuration.banner.graceDelay == .zero)
    #expect(configuration.banner.offline.title == "Offline")
    #expect(configuration.banner.offline.backgroundColor == .ansi(.red))
    #expect(configuration.banner.offline.textColor == .ansi(.brightWhite))
    #expect(configuration.banner.offline.attributes == [])
    #expect(configuration.banner.offline.height == 2)
    #expect(configuration.banner.offline.titleTopInset == 1)
    #expect(configuration.banner.restored == .restored)
    #expect(configuration.path.ignored.map(\.pattern) == ["docker*", "veth?"])
    #expect(configuration.tmux.reserve == .never)
  }

  @Test(arguments: [
    ("250ms", Duration.milliseconds(250)), ("2s", .seconds(2)), ("1.5s", .milliseconds(1500)), ("1m", .seconds(60)),
    ("0s", .zero), ("0.25ms", .microseconds(250)), ("2h", .seconds(7200)), ("0.5h", .seconds(1800)),
    ("5", .seconds(5)), ("0.5", .milliseconds(500)), (".5", .milliseconds(500)), ("0.1m", .seconds(6)),
    ("007s", .seconds(7)),
    ("1000000000", .seconds(1_000_000_000)),
  ])
  func durations(_ text: String, _ duration: Duration) {
    #expect(DurationText.parse(text) == duration)
    #expect(DurationText.parse(DurationText.text(duration)) == duration)
  }

  @Test func theLongestDurationsDoNotOverflow() {
    #expect(DurationText.parse("9999999999h") == .seconds(35_999_999_996_400))
    #expect(DurationText.parse("9999999999.9999999999h").map { $0 <= .seconds(36_000_000_000_000) } == true)
  }

  @Test(arguments: [
    ("2", Duration.seconds(2)), ("0.25", .milliseconds(250)), ("0", .zero), ("6e1", .seconds(60)), ("'2'", .seconds(2)),
  ])
  func aNumberIsSeconds(_ value: String, _ duration: Duration) throws {
    #expect(try parsed("banner.grace-delay = \(value)").banner.graceDelay == duration)
  }

  @Test(arguments: [
    ("-1", "-1"), ("61", "61"), ("-0.5", "-0.5"), ("nan", "nan"), ("inf", "inf"),
    ("9223372036854775807", "9223372036854775807"),
  ])
  func aNumberOutOfRangeIsAnError(_ value: String, _ shown: String) {
    #expect(
      diagnostics("banner.grace-delay = \(value)").first?.hasPrefix(
        "c.toml:1:8: banner.grace-delay: is \(shown) seconds; allowed are durations from \"0s\" to \"60s\"") == true)
  }

  /// To the nanosecond, the precision of the text form.
  @Test func aDurationThatWasWrittenReadsBackToTheSame() {
    for number in 0..<20_000 {
      let duration = Duration.nanoseconds(number * 50_021)
      #expect(DurationText.parse(DurationText.text(duration)) == duration)
    }
  }

  @Test(arguments: [
    "", "s", ".", "2 s", "-1", "-1s", "1.", "1.s", "1.2.3s", "2d", "1e3", "1e3s", "²s", "99999999999s", "1,5s", "+2s",
    "nan",
    "inf", "0x1", "1m30s", "2S",
  ])
  func badDurations(_ text: String) {
    #expect(DurationText.parse(text) == nil)
  }
}
