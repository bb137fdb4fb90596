import NIOCore
import NIOHTTP1
import NIOPosix
import ServiceLifecycle

/// Answers `GET /health`: 200 while the network is there, 503 and the cause while it is not.
struct HealthServer: Service {
  let port: Int
  let health: NetworkHealth

  func run() async throws {
    let server = try await ServerBootstrap(group: .singletonMultiThreadedEventLoopGroup)
      .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
      .childChannelInitializer { channel in
        channel.eventLoop.makeCompletedFuture {
          try channel.pipeline.syncOperations.configureHTTPServerPipeline()
          try channel.pipeline.syncOperations.addHandler(HealthHandler(health: health))
        }
      }
      .bind(host: "127.0.0.1", port: port).get()
    try await gracefulShutdown()
    try await server.close()
  }
}

private final class HealthHandler: ChannelInboundHandler {
  typealias InboundIn = HTTPServerRequestPart
  typealias OutboundOut = HTTPServerResponsePart

  private let health: NetworkHealth
  private var uri = ""

  init(health: NetworkHealth) { self.health = health }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    switch unwrapInboundIn(data) {
    case .head(let head): uri = head.uri
    case .body: break
    case .end: answer(context)
    }
  }

  private func answer(_ context: ChannelHandlerContext) {
    let path = health.current
    let status: HTTPResponseStatus =
      uri != "/health" ? .notFound : path?.status == .satisfied ? .ok : .serviceUnavailable
    let body = ByteBuffer(string: (path?.explanation ?? "starting") + "\n")
    let headers: HTTPHeaders = ["content-length": "\(body.readableBytes)", "connection": "close"]
    context.write(
      wrapOutboundOut(.head(HTTPResponseHead(version: .http1_1, status: status, headers: headers))), promise: nil)
    context.write(wrapOutboundOut(.body(.byteBuffer(body))), promise: nil)
    context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: nil)
    context.close(promise: nil)
  }
}
