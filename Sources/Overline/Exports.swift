// `import Overline` alone suffices.
@_exported public import NetworkPath
// One by one: the machines in Banner are nobody's business.
@_exported public import struct Banner.Appearance
@_exported public import struct Banner.AppearanceBuilder
@_exported public import enum Banner.Color
@_exported public import enum Banner.Icon
@_exported public import struct Banner.Inset
@_exported public import struct Banner.OverlayLevel
@_exported public import struct Banner.RGB
@_exported public import struct Banner.StyledText
@_exported public import enum Banner.TerminalColor
@_exported public import struct Banner.TextAttributes
@_exported public import struct Banner.ToastContent
@_exported public import enum Banner.ToastStyle
