// `import Overline` alone suffices.
@_exported public import NetworkPath
