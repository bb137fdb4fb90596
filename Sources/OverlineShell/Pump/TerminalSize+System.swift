package import OverlineCore
package import OverlineSystem

extension TerminalSize {
  package init(_ size: WindowSize) {
    self.init(rows: size.rows, columns: size.columns, width: size.width, height: size.height)
  }

  var windowSize: WindowSize { WindowSize(rows: rows, columns: columns, width: width, height: height) }
}
