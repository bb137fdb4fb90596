// As in Apple's framework, `import NetworkPath` alone suffices for the queue of `start(queue:)`.
@_exported public import Dispatch
