internal import OverlineObservers

/// The manual page of one command, made from ArgumentParser's description of it (`--experimental-dump-help`).
///
/// ArgumentParser's own generator is not used: its pages claim that every command exits with 0 on success, and omit
/// non-ASCII characters.
struct ManualPage {
  private let command: JSONValue
  /// `["overline", "tmux", "attach"]`
  private let words: [String]
  private let date: String

  /// Every page: the command's own, and those of the commands below it.
  static func pages(of command: JSONValue, date: String, above: [String] = []) -> [ManualPage] {
    guard let name = command["commandName"]?.string, command["shouldDisplay"]?.boolean != false else { return [] }
    let page = ManualPage(command: command, words: above + [name], date: date)
    return [page] + page.commands.flatMap { pages(of: $0, date: date, above: page.words) }
  }

  /// `overline-tmux-attach.1`
  var fileName: String { "\(name).1" }

  private var name: String { words.joined(separator: "-") }

  /// ArgumentParser's `help` is not a command of ours.
  private var commands: [JSONValue] {
    (command["subcommands"]?.array ?? []).filter {
      $0["shouldDisplay"]?.boolean != false && $0["commandName"]?.string != "help"
    }
  }

  private var arguments: [Argument] {
    (command["arguments"]?.array ?? []).filter { $0["shouldDisplay"]?.boolean != false }.map(Argument.init)
  }

  /// The page, in mdoc(7).
  var text: String {
    var lines = [".Dd \(date)", ".Dt \(name.uppercased()) 1", ".Os Overline", ".Sh NAME", ".Nm \(name)"]
    // Its style has no full stop here.
    lines.append(
      ".Nd \(Mdoc.text(abstract.hasSuffix(".") ? String(abstract.dropLast()) : abstract).joined(separator: " "))")
    lines += [".Sh SYNOPSIS", ".Nm \(words.joined(separator: " "))"] + arguments.map(\.synopsis)
    if !commands.isEmpty { lines.append(".Ar command") }
    lines += [".Sh DESCRIPTION"] + Mdoc.text(abstract)
    if let discussion = command["discussion"]?.string { lines += [".Pp"] + Mdoc.text(discussion) }
    if !commands.isEmpty {
      lines += [".Pp", "The commands:"]
      lines += list(commands.map { (".Xr \(name)-\($0["commandName"]?.string ?? "") 1", $0["abstract"]?.string ?? "") })
    }
    if !arguments.isEmpty { lines += [".Sh OPTIONS"] + list(arguments.map { ($0.title, $0.explanation) }) }
    if words.count > 1 { lines += [".Sh SEE ALSO", ".Xr \(words.dropLast().joined(separator: "-")) 1"] }
    return lines.joined(separator: "\n") + "\n"
  }

  private var abstract: String { command["abstract"]?.string ?? "" }

  private func list(_ items: [(title: String, text: String)]) -> [String] {
    [".Bl -tag -width Ds"]
      + items.flatMap {
        [".It \($0.title.hasPrefix(".") ? String($0.title.dropFirst()) : $0.title)"] + Mdoc.text($0.text)
      }
      + [".El"]
  }
}

/// An option, a flag or a word of a command.
private struct Argument {
  private let value: JSONValue

  init(_ value: JSONValue) { self.value = value }

  private var valueName: String { value["valueName"]?.string ?? "value" }
  private var isPositional: Bool { value["kind"]?.string == "positional" }

  private var names: [String] {
    (value["names"]?.array ?? []).map {
      // `Fl` puts the first hyphen.
      ($0["kind"]?.string == "long" ? "-" : "") + ($0["name"]?.string ?? "")
    }
  }

  private func spelled(_ name: String) -> String {
    "Fl \(name)" + (value["kind"]?.string == "option" ? " Ar \(Mdoc.argument(valueName))" : "")
  }

  var synopsis: String {
    let text = isPositional ? "Ar \(Mdoc.argument(valueName))" : names.first.map(spelled) ?? ""
    let repeated = text + (value["isRepeating"]?.boolean == true ? " ..." : "")
    return value["isOptional"]?.boolean == true ? ".Op \(repeated)" : ".\(repeated)"
  }

  var title: String {
    isPositional ? "Ar \(Mdoc.argument(valueName))" : names.map(spelled).joined(separator: " , ")
  }

  var explanation: String {
    let abstract = value["abstract"]?.string ?? ""
    // A flag's default is its absence.
    guard let standard = value["defaultValue"]?.string, value["kind"]?.string != "flag" else { return abstract }
    return "\(abstract) (default: \(standard))"
  }
}
