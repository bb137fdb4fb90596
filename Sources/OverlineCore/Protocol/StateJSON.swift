internal import Overline

extension ObserverState {
  /// The state as one line of JSON without its line feed, the fields in the documented order.
  package var json: String { String(decoding: jsonLine.dropLast(), as: UTF8.self) }

  /// The bytes of ``json`` and a line feed: one message of the protocol.
  package var jsonLine: [UInt8] {
    var writer = JSONWriter()
    write(to: &writer)
    writer.endLine()
    return writer.bytes
  }

  func write(to writer: inout JSONWriter) {
    writer.open("{")
    writer.field("v", v)
    writer.field("seq", seq)
    writer.field("time", time)
    writer.field("state", state.rawValue)
    writer.key("path")
    path.write(to: &writer)
    writer.key("banner")
    writer.open("{")
    writer.field("phase", banner.phase.rawValue)
    writer.field("title", banner.title)
    writer.field("background", banner.background)
    writer.field("text", banner.text)
    writer.field("dismissed", banner.isDismissed)
    writer.close("}")
    writer.key("inset")
    writer.open("{")
    writer.field("top", inset.top)
    writer.field("bottom", inset.bottom)
    writer.close("}")
    writer.field("since", since)
    writer.key("toast")
    if let toast { toast.write(to: &writer) } else { writer.null() }
    writer.key("alert")
    if let alert { alert.write(to: &writer) } else { writer.null() }
    writer.field("announcement", announcement)
    writer.field("limitation", limitation)
    writer.key("limited")
    if let limited { limited.write(to: &writer) } else { writer.null() }
    writer.key("paused")
    if let paused { paused.write(to: &writer) } else { writer.null() }
    writer.close("}")
  }

  /// Reads a line of JSON. Unknown fields are ignored; a `state` that this program does not support becomes `unknown`.
  ///
  /// Throws ``ProtocolError/Code/unsupportedVersion`` when `v` is above ``version``.
  package init(jsonLine: some Collection<UInt8>) throws(ProtocolError) {
    try self.init(json: JSONValue(parsing: jsonLine))
  }

  package init(json: JSONValue) throws(ProtocolError) {
    guard json.object != nil else { throw ProtocolError(.badJSON, "a state is a JSON object, not \(json.kind)") }
    let fields = FieldReader(json)
    v = try fields.integer("v")
    guard v <= Self.version else {
      throw ProtocolError(
        .unsupportedVersion, "the monitor speaks version \(v) of the protocol, this program version \(Self.version)")
    }
    seq = try fields.integer("seq")
    time = try fields.string("time")
    since = try fields.string("since")
    state = State(rawValue: try fields.string("state")) ?? .unknown
    path = try Path(FieldReader(fields.object("path")))
    let banner = FieldReader(try fields.object("banner"))
    self.banner = Banner(
      phase: BannerPhaseName(rawValue: try banner.string("phase")) ?? .hidden,
      title: try banner.optionalString("title"),
      background: try banner.optionalColor("background"), text: try banner.optionalColor("text"),
      // Older monitors do not send this field.
      isDismissed: try banner.optionalBoolean("dismissed") ?? false)
    let inset = FieldReader(try fields.object("inset"))
    self.inset = Inset(top: try inset.integer("top"), bottom: try inset.integer("bottom"))
    // Older monitors do not send these fields.
    toast = try fields.optionalObject("toast").map { value throws(ProtocolError) in try Toast(FieldReader(value)) }
    alert = try fields.optionalObject("alert").map { value throws(ProtocolError) in try Alert(FieldReader(value)) }
    announcement = try fields.optionalString("announcement") ?? ""
    limitation = try fields.optionalString("limitation")
    limited = try fields.optionalObject("limited").map { value throws(ProtocolError) in
      try Limited(FieldReader(value))
    }
    paused = try fields.optionalObject("paused").map { value throws(ProtocolError) in try Pause(FieldReader(value)) }
  }
}

extension ObserverState.Toast {
  func write(to writer: inout JSONWriter) {
    writer.open("{")
    writer.field("title", title)
    writer.field("message", message)
    writer.field("style", style)
    writer.close("}")
  }

  init(_ fields: FieldReader) throws(ProtocolError) {
    title = try fields.string("title")
    message = try fields.string("message")
    style = try fields.string("style")
  }
}

extension ObserverState.Alert {
  func write(to writer: inout JSONWriter) {
    writer.open("{")
    writer.field("title", title)
    writer.field("message", message)
    writer.key("buttons")
    writer.open("[")
    for button in buttons { writer.string(button) }
    writer.close("]")
    writer.close("}")
  }

  init(_ fields: FieldReader) throws(ProtocolError) {
    title = try fields.string("title")
    message = try fields.string("message")
    buttons = try fields.array("buttons").compactMap(\.string)
  }
}

extension ObserverState.Pause {
  func write(to writer: inout JSONWriter) {
    writer.open("{")
    writer.field("until", until)
    writer.field("words", words)
    writer.close("}")
  }

  init(_ fields: FieldReader) throws(ProtocolError) {
    until = try fields.string("until")
    words = try fields.string("words")
  }
}

extension ObserverState.Limited {
  func write(to writer: inout JSONWriter) {
    writer.open("{")
    writer.field("reason", reason)
    writer.field("cause", cause)
    writer.field("portal", portal)
    writer.field("since", since)
    writer.close("}")
  }

  init(_ fields: FieldReader) throws(ProtocolError) {
    reason = try fields.string("reason")
    cause = try fields.string("cause")
    portal = try fields.optionalString("portal")
    // Older monitors do not send this field.
    since = try fields.optionalInteger("since", in: 0...Int.max)
  }
}

extension ObserverState.Tunnel {
  func write(to writer: inout JSONWriter) {
    writer.open("{")
    writer.field("name", name)
    writer.field("cause", cause)
    writer.field("loops", loops)
    writer.close("}")
  }

  init(_ fields: FieldReader) throws(ProtocolError) {
    name = try fields.string("name")
    cause = try fields.string("cause")
    loops = try fields.boolean("loops")
  }
}

extension ObserverState.VPN {
  func write(to writer: inout JSONWriter) {
    writer.open("{")
    writer.field("name", name)
    writer.field("use", use)
    writer.field("underlay", underlay)
    writer.field("explanation", explanation)
    writer.close("}")
  }

  init(_ fields: FieldReader) throws(ProtocolError) {
    name = try fields.string("name")
    use = try fields.string("use")
    underlay = try fields.optionalString("underlay")
    explanation = try fields.string("explanation")
  }
}

extension ObserverState.Quality {
  func write(to writer: inout JSONWriter) {
    writer.open("{")
    writer.field("level", level)
    writer.field("explanation", explanation)
    writer.close("}")
  }

  init(_ fields: FieldReader) throws(ProtocolError) {
    level = try fields.string("level")
    explanation = try fields.string("explanation")
  }
}

extension ObserverState.Path {
  func write(to writer: inout JSONWriter) {
    writer.open("{")
    writer.field("status", status)
    writer.field("reason", reason)
    writer.field("since", since)
    writer.field("explanation", explanation)
    writer.key("tunnel")
    if let tunnel { tunnel.write(to: &writer) } else { writer.null() }
    writer.field("interface", interface)
    writer.key("interfaces")
    writer.open("[")
    for interface in interfaces {
      writer.open("{")
      writer.field("name", interface.name)
      writer.field("index", interface.index)
      writer.field("type", interface.type)
      writer.close("}")
    }
    writer.close("]")
    writer.key("gateways")
    writer.open("[")
    for gateway in gateways { writer.string(gateway) }
    writer.close("]")
    writer.field("ipv4", ipv4)
    writer.field("ipv6", ipv6)
    writer.field("dns", dns)
    writer.field("expensive", expensive)
    writer.field("constrained", constrained)
    writer.key("targets")
    writer.open("[")
    for target in targets {
      writer.open("{")
      writer.field("name", target.name)
      writer.field("prefix", target.prefix)
      writer.field("reachable", target.reachable.map(JSONValue.boolean) ?? .null)
      writer.field("reason", target.reason)
      writer.field("explanation", target.explanation)
      writer.field("default", target.isByDefaultRoute)
      writer.close("}")
    }
    writer.close("]")
    writer.key("vpns")
    writer.open("[")
    for vpn in vpns { vpn.write(to: &writer) }
    writer.close("]")
    writer.key("quality")
    if let quality { quality.write(to: &writer) } else { writer.null() }
    writer.close("}")
  }

  init(_ fields: FieldReader) throws(ProtocolError) {
    status = try fields.string("status")
    reason = try fields.optionalString("reason")
    // Older monitors do not send this field.
    since = try fields.optionalInteger("since", in: 0...Int.max)
    explanation = try fields.string("explanation")
    // Older monitors do not send this field.
    tunnel = try fields.optionalObject("tunnel").map { value throws(ProtocolError) in
      try ObserverState.Tunnel(FieldReader(value))
    }
    interface = try fields.optionalString("interface")
    interfaces = []
    for element in try fields.array("interfaces") {
      let interface = FieldReader(element)
      interfaces.append(
        ObserverState.Interface(
          name: try interface.string("name"), index: try interface.integer("index"), type: try interface.string("type"))
      )
    }
    gateways = try fields.array("gateways").compactMap(\.string)
    ipv4 = try fields.boolean("ipv4")
    ipv6 = try fields.boolean("ipv6")
    dns = try fields.boolean("dns")
    expensive = try fields.boolean("expensive")
    constrained = try fields.boolean("constrained")
    targets = []
    // Older monitors do not send this field.
    for element in try fields.optionalArray("targets") {
      let target = FieldReader(element)
      targets.append(
        ObserverState.Target(
          name: try target.string("name"), prefix: try target.string("prefix"),
          reachable: try target.optionalBoolean("reachable"), reason: try target.optionalString("reason"),
          // Older monitors do not send this field.
          isByDefaultRoute: try target.optionalBoolean("default") ?? false,
          explanation: try target.string("explanation")))
    }
    // Older monitors do not send this field.
    vpns = try fields.optionalArray("vpns").map { element throws(ProtocolError) in
      try ObserverState.VPN(FieldReader(element))
    }
    // Older monitors do not send this field.
    quality = try fields.optionalObject("quality").map { value throws(ProtocolError) in
      try ObserverState.Quality(FieldReader(value))
    }
  }
}
