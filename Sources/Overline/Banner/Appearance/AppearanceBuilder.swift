/// Overrides single values of an appearance and takes the rest from the defaults:
///
///     present { $0.title("Call in progress").backgroundColor(.systemGreen) }
public struct AppearanceBuilder: Sendable {
  /// The appearance built so far.
  public private(set) var appearance: Appearance

  /// - Parameter defaults: the values to use unless overridden. To change the banner that a window showed last, pass that banner's
  ///   appearance.
  public init(_ defaults: Appearance = .standard) {
    appearance = defaults
  }

  /// Sets the title.
  public func title(_ title: String) -> Self { with { $0.title = title } }
  /// Sets the colour of the rows.
  public func backgroundColor(_ color: Color) -> Self { with { $0.backgroundColor = color } }
  /// Sets the colour of the title.
  public func textColor(_ color: Color) -> Self { with { $0.textColor = color } }
  /// - Parameter rows: at least 1.
  public func height(_ rows: Int) -> Self { with { $0.height = rows } }
  /// - Parameter rows: rows of background above the title, less than the height.
  public func titleTopInset(_ rows: Int) -> Self { with { $0.titleTopInset = rows } }
  /// Turns bold on or off for the title.
  public func bold(_ isOn: Bool = true) -> Self { attribute(.bold, isOn) }
  /// Turns italics on or off for the title.
  public func italic(_ isOn: Bool = true) -> Self { attribute(.italic, isOn) }
  /// Turns underlining on or off for the title.
  public func underline(_ isOn: Bool = true) -> Self { attribute(.underline, isOn) }
  /// Sets the sign before the title; nil for none.
  public func icon(_ icon: Icon?) -> Self { with { $0.icon = icon } }

  private func attribute(_ attribute: TextAttributes, _ isOn: Bool) -> Self {
    with { if isOn { $0.attributes.insert(attribute) } else { $0.attributes.remove(attribute) } }
  }

  private func with(_ change: (inout Appearance) -> Void) -> Self {
    var copy = self
    change(&copy.appearance)
    return copy
  }
}
