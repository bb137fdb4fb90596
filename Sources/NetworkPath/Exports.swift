// `import NetworkPath` alone suffices. One by one, since the rest of PathModel is nobody's business.
@_exported public import struct PathModel.IPv4Address
@_exported public import struct PathModel.IPv6Address
@_exported public import enum PathModel.NWEndpoint
@_exported public import struct PathModel.NWInterface
@_exported public import struct PathModel.NWPath
@_exported public import struct PathModel.PathTarget
