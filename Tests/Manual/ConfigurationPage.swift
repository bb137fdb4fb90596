import OverlineCore

/// overline.toml(5), made from the table of keys that `overline config init` writes.
struct ConfigurationPage {
  let date: String
  let version: String

  let fileName = "overline.toml.5"

  var text: String {
    var lines = [".Dd \(date)", ".Dt OVERLINE.TOML 5", ".Os Overline \(version)", ".Sh NAME", ".Nm overline.toml"]
    lines += [".Nd the configuration of overline", ".Sh DESCRIPTION"]
    let head = Configuration.documentHead.split(separator: "\n").map(String.init)
    lines += Mdoc.text(head.joined(separator: "\n"))
    lines += [".Pp"]
    lines += Mdoc.text(
      "The file is TOML 1.0. An error in it is reported with file, line, column and the allowed values, and the file as a whole is then not used. Keys and tables that Overline does not know are errors. A file that another user owns or can write is refused."
    )
    for table in Configuration.documentation {
      lines.append(".Ss \(Mdoc.argument("[\(table.name)]"))")
      if !table.text.isEmpty { lines += Mdoc.text(table.text) }
      lines.append(".Bl -tag -width Ds")
      for key in table.keys {
        lines.append(".It Ic \(Mdoc.argument(key.name)) = \(Mdoc.argument(key.standard))")
        lines += Mdoc.text(key.text)
      }
      lines.append(".El")
    }
    lines += [".Sh FILES", ".Bl -tag -width Ds", ".It Pa \(Mdoc.argument("~/.config/overline/config.toml"))"]
    lines += Mdoc.text("Read without --config, or below $XDG_CONFIG_HOME where that is set.") + [".El"]
    lines += [".Sh EXAMPLES", "Write the file with every default, and edit it:"]
    lines += Mdoc.literal("overline config init && $EDITOR \"$(overline config path)\"")
    lines += [".Pp", "A banner that waits two seconds, and a hook:"]
    lines += Mdoc.literal(
      "[banner]\ngrace-delay = \"2s\"\n\n[hooks]\non-offline = \"notify-send 'No connection'\"")
    lines += [".Sh SEE ALSO", ".Xr overline 1 ,", ".Xr overline-config 1 ,", ".Xr overline-reload 1"]
    return lines.joined(separator: "\n") + "\n"
  }
}
