import OverlineCore

/// The manual page of one command, made from ArgumentParser's description of it (`--experimental-dump-help`).
///
/// ArgumentParser's own generator is not used: its pages claim that every command exits with 0 on success, and omit
/// non-ASCII characters.
struct ManualPage {
  private let command: JSONValue
  /// `["overline", "tmux", "attach"]`
  private let words: [String]
  private let date: String
  private let version: String
  /// The names of the pages of the commands below and beside this one.
  private let siblings: [String]

  /// Every page: the command's own, and those of the commands below it.
  static func pages(
    of command: JSONValue, date: String, version: String, above: [String] = [], siblings: [String] = []
  ) -> [ManualPage] {
    guard let name = command["commandName"]?.string, command["shouldDisplay"]?.boolean != false else { return [] }
    let words = above + [name]
    // The page of overline lists every command in its description.
    let beside = above.count < 2 ? [] : siblings
    let page = ManualPage(command: command, words: words, date: date, version: version, siblings: beside)
    let below = page.commands.map { (words + [$0["commandName"]?.string ?? ""]).joined(separator: "-") }
    return [page]
      + page.commands.flatMap { pages(of: $0, date: date, version: version, above: words, siblings: below) }
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
    var lines = [".Dd \(date)", ".Dt \(name.uppercased()) 1", ".Os Overline \(version)", ".Sh NAME", ".Nm \(name)"]
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
    let environment = ManualWords.environment.filter { $0.isFor(typed) }
    if !environment.isEmpty { lines += [".Sh ENVIRONMENT"] + list(environment.map { (".Ev \($0.title)", $0.text) }) }
    let files = ManualWords.files.filter { $0.isFor(typed) }
    if !files.isEmpty {
      lines += [".Sh FILES"] + list(files.map { (".Pa \(Mdoc.argument($0.title))", $0.text) })
    }
    lines += [".Sh EXIT STATUS"] + list(ManualWords.statuses(of: typed).map { (Mdoc.argument($0.0), $0.1) })
    if let examples = ManualWords.examples[typed] {
      lines.append(".Sh EXAMPLES")
      for (index, example) in examples.enumerated() {
        lines += (index == 0 ? [] : [".Pp"]) + Mdoc.text(example.text) + Mdoc.literal(example.command)
      }
    }
    let others = self.others
    lines += [".Sh SEE ALSO"] + others.dropLast().map { ".Xr \($0) ," } + [".Xr \(others.last!)"]
    return lines.joined(separator: "\n") + "\n"
  }

  /// `overline tmux attach`
  private var typed: String { words.joined(separator: " ") }

  /// The pages beside this one, `overline-tmux 1`, as mdoc wants them: by section, then by name.
  private var others: [String] {
    var pages = siblings.filter { $0 != name }.sorted().map { "\($0) 1" }
    if words.count > 1 { pages.insert("\(words.dropLast().joined(separator: "-")) 1", at: 0) }
    if words == ["overline"] { pages += ["tmux 1"] }
    return ManualWords.configures(typed) ? pages + ["overline.toml 5"] : pages
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
