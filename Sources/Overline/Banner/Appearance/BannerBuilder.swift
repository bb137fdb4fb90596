extension BannerAppearance {
  /// Overrides single values of an appearance and takes the rest from the defaults. The methods may be chained, or written as statements:
  ///
  ///     window.presentTopBanner { $0.title("Call in progress").backgroundColor(.systemGreen) }
  ///     window.presentTopBanner { banner in
  ///       banner.title("Call in progress")
  ///       if isMuted { banner.backgroundColor(.systemGray) }
  ///     }
  ///
  /// A builder is used by one thread, while the closure runs.
  public final class Builder {
    /// The appearance built so far.
    public private(set) var appearance: BannerAppearance

    /// - Parameter defaults: the values to use unless overridden, such as ``BannerAppearance/offline`` for the network's own banner.
    public init(_ defaults: BannerAppearance = .standard) {
      appearance = defaults
    }

    /// Sets the title.
    @discardableResult
    public func title(_ title: String) -> Builder { with { $0.title = title } }
    /// Sets the colour of the rows.
    @discardableResult
    public func backgroundColor(_ color: TerminalColor) -> Builder { with { $0.backgroundColor = color } }
    /// Sets the colour of the title.
    @discardableResult
    public func textColor(_ color: TerminalColor) -> Builder { with { $0.textColor = color } }
    /// - Parameter rows: at least 1.
    @discardableResult
    public func height(_ rows: Int) -> Builder { with { $0.height = rows } }
    /// - Parameter rows: rows of background above the title, less than the height.
    @discardableResult
    public func titleTopInset(_ rows: Int) -> Builder { with { $0.titleTopInset = rows } }
    /// Turns bold on or off for the title.
    @discardableResult
    public func bold(_ isOn: Bool = true) -> Builder { attribute(.bold, isOn) }
    /// Turns italics on or off for the title.
    @discardableResult
    public func italic(_ isOn: Bool = true) -> Builder { attribute(.italic, isOn) }
    /// Turns underlining on or off for the title.
    @discardableResult
    public func underline(_ isOn: Bool = true) -> Builder { attribute(.underline, isOn) }
    /// Sets the sign before the title; nil for none.
    @discardableResult
    public func icon(_ icon: Icon?) -> Builder { with { $0.icon = icon } }

    private func attribute(_ attribute: TextAttributes, _ isOn: Bool) -> Builder {
      with { if isOn { $0.attributes.insert(attribute) } else { $0.attributes.remove(attribute) } }
    }

    private func with(_ change: (inout BannerAppearance) -> Void) -> Builder {
      change(&appearance)
      return self
    }
  }
}
