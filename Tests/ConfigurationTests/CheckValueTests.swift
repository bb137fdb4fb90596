import Overline
import OverlineTestThread
import Testing
@testable import OverlineCore

@Suite(.ownThread) struct CheckValueTests {
  @Test func everyKeyOfTheCheckIsRead() throws {
    let configuration = try parsed(
      """
      [check]
      url = "https://example.net/ok"
      expect-status = 201
      expect-body = "it \\"works\\" \\\\\\n"
      interval = "1m"
      timeout = "250ms"
      [banner.limited]
      title = "Portal"
      """)
    #expect(
      configuration.check
        == CheckSettings(
          url: CheckURL("https://example.net/ok")!, expectedStatus: 201, expectedBody: "it \"works\" \\\n",
          interval: .seconds(60), timeout: .milliseconds(250)))
    #expect(configuration.banner.limited.title == "Portal")
    #expect(configuration.banner.limited.backgroundColor == BannerAppearance.limited.backgroundColor)
    #expect(Configuration.parse(configuration.toml, path: "").configuration == configuration)
    #expect(try parsed("[check]\ninterval = \"2s\"\n").check == nil)
  }

  @Test(arguments: [
    ("mozilla", "http://detectportal.firefox.com/success.txt", 200, "success"),
    ("gnome", "http://nmcheck.gnome.org/check_network_status.txt", 200, "NetworkManager is online"),
    ("ubuntu", "http://connectivity-check.ubuntu.com/", 204, nil),
  ])
  func aPublicServerHasItsURLAndAnswer(_ name: String, _ url: String, _ status: Int, _ body: String?) throws {
    let configuration = try parsed("[check]\nuse = \"\(name)\"\ninterval = \"1m\"\n")
    #expect(
      configuration.check
        == CheckSettings(
          url: CheckURL(url)!, expectedStatus: status, expectedBody: body, interval: .seconds(60)))
    #expect(configuration.toml.contains("use = \"\(name)\"\nurl = \"\"\n"))
    let again = Configuration.parse(configuration.toml, path: "")
    #expect(again.configuration == configuration && again.diagnostics.isEmpty)
  }

  @Test(arguments: [
    ("url = \"ftp://example.net\"", "2:1: check.url: is \"ftp://example.net\"; allowed are \"http://…\" and"),
    ("url = \"http://me:secret@example.net\"", "2:1: check.url: is"), ("url = 1", "2:1: check.url: is an integer"),
    ("expect-status = 199", "2:1: check.expect-status: is 199; allowed are integers from 200 to 599"),
    ("expect-status = 204\nexpect-body = \"x\"", "3:1: check.expect-body: is a text, but an answer with status 204"),
    ("expect-body = \"\\u0001\"", "2:1: check.expect-body: has a control character"),
    ("interval = \"0s\"", "2:1: check.interval: is \"0s\"; allowed are durations from \"1s\" to \"86400s\""),
    ("timeout = \"61s\"", "2:1: check.timeout: is \"61s\"; allowed are durations from \"100ms\" to \"60s\""),
    (
      "use = \"mozila\"",
      "2:1: check.use: is \"mozila\"; did you mean \"mozilla\"?; allowed are \"\", \"mozilla\", \"gnome\", \"ubuntu\""
    ),
    ("use = \"gnome\"\nurl = \"http://a\"", "3:1: check.url: is a server, but use = \"gnome\" names another; remove"),
    ("expect-status = 204\nuse = \"mozilla\"", "2:1: check.expect-status: is set, but use = \"mozilla\" decides"),
    ("use = \"ubuntu\"\nexpect-body = \"x\"", "3:1: check.expect-body: is set, but use = \"ubuntu\" decides"),
    ("urls = \"\"", "2:1: check.urls: is not a key of [check]; did you mean \"url\"?"),
  ])
  func errorsOfTheCheckAreReportedAtTheirPlace(_ line: String, _ error: String) {
    let diagnostics = Configuration.parse("[check]\n\(line)\n", path: "c").diagnostics
    #expect(diagnostics.count == 1)
    #expect(diagnostics.first?.description.hasPrefix("c:\(error)") == true, "\(diagnostics)")
  }
}
