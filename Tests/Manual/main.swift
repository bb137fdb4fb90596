import OverlineCore
internal import OverlineProcess
internal import OverlineSystem

// overline --experimental-dump-help | OverlineManual FOLDER DATE VERSION
//
// Writes a manual page for every command, and overline.toml(5), into an existing folder. The date is for readers, such as "November 21, 2026",
// and the version "0.3.0": repeated builds give the same pages.
var dump: [UInt8] = []
while case let bytes = try readBytes(from: 0, atMost: 65536), !bytes.isEmpty { dump += bytes }
let arguments = ProcessEnvironment.arguments
guard arguments.count == 3, let command = try JSONValue(parsing: dump)["command"] else {
  try writeAll(Array("usage: overline --experimental-dump-help | OverlineManual FOLDER DATE VERSION\n".utf8), to: 2)
  exitProcess(64)
}
for page in ManualPage.pages(of: command, date: arguments[1], version: arguments[2]) {
  try Files.replace("\(arguments[0])/\(page.fileName)", with: Array(page.text.utf8))
}
let configuration = ConfigurationPage(date: arguments[1], version: arguments[2])
try Files.replace("\(arguments[0])/\(configuration.fileName)", with: Array(configuration.text.utf8))
