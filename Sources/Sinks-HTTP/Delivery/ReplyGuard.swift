package import NIOCore
package import NIOHTTP1

/// Refuses replies that are no final HTTP response before AsyncHTTPClient processes them.
///
/// AsyncHTTPClient 1.37 takes every status below 200 for an interim response without a body and traps when one has a
/// body (`HTTP/1.1 000 OK`). The parser passes such a status on. A protocol switch (101) is never requested, and an
/// endless series of interim responses would keep the exchange busy until its deadline.
///
/// A status from 600 to 999 is passed on, though none is valid: RFC 9110 (section 15) asks clients to treat it as a
/// server error.
package final class ReplyGuard: ChannelInboundHandler, RemovableChannelHandler {
    package typealias InboundIn = HTTPClientResponsePart
    package typealias InboundOut = HTTPClientResponsePart

    /// The most interim responses before a final one.
    package static let maximumInterimResponses = 16

    private enum State {
        /// The head of a response, or the end of an interim one, comes next; with the number of interim responses so
        /// far.
        case awaitingHead(interim: Int)
        /// A final head has arrived. To `awaitingHead` at its end.
        case receiving
        /// A reply was refused: the rest is dropped, and the connection is being closed.
        case refused
    }

    private var state = State.awaitingHead(interim: 0)

    /// A guard before the first response.
    package init() {}

    /// Adds a guard after the response parser of a connection to which AsyncHTTPClient has added its handlers.
    static func insert(into channel: any Channel) -> EventLoopFuture<Void> {
        let pipeline = channel.pipeline.syncOperations
        // A pipeline without the parser belongs to a connection that was closed meanwhile: its requests fail anyway.
        if let parser = try? pipeline.handler(type: ByteToMessageHandler<HTTPResponseDecoder>.self) {
            try? pipeline.addHandler(ReplyGuard(), position: .after(parser))  // fails for a closed connection, too
        }
        return channel.eventLoop.makeSucceededVoidFuture()
    }

    package func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let part = unwrapInboundIn(data)
        switch (state, part) {
        case (.refused, _): return
        case (.awaitingHead(let interim), .head(let head)): received(head, interim, context)
        case (.receiving, .head(let head)): received(head, 0, context)
        case (.receiving, .end): state = .awaitingHead(interim: 0)
        case (.awaitingHead, .body): refuse("a body without a response", context)
        case (.awaitingHead, .end), (.receiving, .body): break
        }
        if case .refused = state { return }
        context.fireChannelRead(data)
    }

    private func received(_ head: HTTPResponseHead, _ interim: Int, _ context: ChannelHandlerContext) {
        switch head.status.code {
        case 101: refuse("an unrequested switch of protocols", context)
        case 100..<200 where interim < Self.maximumInterimResponses: state = .awaitingHead(interim: interim + 1)
        case 100..<200: refuse("more than \(Self.maximumInterimResponses) interim responses", context)
        case 200...999: state = .receiving
        default: refuse("status \(head.status.code), expected 100 to 999", context)
        }
    }

    private func refuse(_ what: String, _ context: ChannelHandlerContext) {
        state = .refused
        context.fireErrorCaught(RequestFailure.impossibleReply(what))
        context.close(promise: nil)
    }
}
