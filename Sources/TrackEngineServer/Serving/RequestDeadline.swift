import HTTPTypes
package import NIOCore
package import NIOHTTPTypes

/// Closes connections that hold a place without using it: a request that takes longer than a minute to arrive, also
/// before its head is complete; a peer that takes no part of a reply for half a minute; one that sends many requests
/// without waiting for their replies; and one that has gone while its question is answered.
///
/// The idle timeout does not catch them: each byte of a request begins it anew, and while a reply is under way it
/// waits.
package final class RequestDeadline: ChannelDuplexHandler, RemovableChannelHandler {
    package typealias InboundIn = HTTPRequestPart
    package typealias InboundOut = HTTPRequestPart
    package typealias OutboundIn = HTTPResponsePart
    package typealias OutboundOut = HTTPResponsePart

    /// The most requests of a peer that does not wait for the replies; they are in memory.
    package static let mostPipelined = 16

    /// How long a request may take to arrive.
    private let arrivalTime: TimeAmount
    /// How long a part of a reply may wait for the peer.
    private let patience: TimeAmount
    /// How long a question is still answered after its peer has closed its side.
    private let farewell: TimeAmount
    private let shares: AddressLimiter?
    private var place: AddressLimiter.Place?
    private var arrival: Scheduled<Void>?
    private var stall: Scheduled<Void>?
    private var departure: Scheduled<Void>?
    private var waitingWrites = 0
    /// The number of requests that have begun to arrive, without a complete reply.
    private var underWay = 0
    /// The number of complete requests, less that of complete replies: a reply may be there before its request is.
    private var unanswered = 0
    /// Whether the newest request is a question, without changes.
    private var isQuestion = false
    private var isClosing = false

    /// A handler for one connection.
    package init(
        arrivalTime: TimeAmount = .seconds(70), patience: TimeAmount = .seconds(30),
        farewell: TimeAmount = .seconds(5), shares: AddressLimiter? = nil
    ) {
        self.arrivalTime = arrivalTime
        self.patience = patience
        self.farewell = farewell
        self.shares = shares
    }

    package func channelActive(context: ChannelHandlerContext) {
        expectRequest(context)
        if let shares, let address = context.remoteAddress?.ipAddress {
            place = shares.take(for: address, context.channel)
            if place == nil { close(context) }
        }
        context.fireChannelActive()
    }

    package func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard !isClosing else { return }
        switch unwrapInboundIn(data) {
        case .head(let head):
            isQuestion = head.method == .get || head.method == .head
            underWay += 1
            guard underWay <= Self.mostPipelined else { return close(context) }
            if arrival == nil { expectRequest(context) }
        case .body: break
        case .end:
            unanswered += 1
            place?.isBusy(unanswered > 0)
            arrival?.cancel()
            arrival = nil
        }
        context.fireChannelRead(data)
    }

    package func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        let isEnd = if case .end = unwrapOutboundIn(data) { true } else { false }
        let written = promise ?? context.eventLoop.makePromise()
        waitingWrites += 1
        departure?.cancel()
        if stall == nil { stall = schedule(in: patience, context) }
        written.futureResult.assumeIsolated().whenComplete { [self] _ in
            waitingWrites -= 1
            stall?.cancel()
            stall = waitingWrites > 0 ? schedule(in: patience, context) : nil
            if isEnd { replied(context) }
        }
        context.write(data, promise: written)
    }

    private func replied(_ context: ChannelHandlerContext) {
        underWay = max(0, underWay - 1)
        unanswered -= 1
        guard context.channel.isActive else { return }
        place?.isBusy(unanswered > 0)
        if underWay == 0 { expectRequest(context) }
    }

    package func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        // Some peers close their side right after the question, and others have gone: only the next write reveals
        // which.
        if isQuestion, event as? ChannelEvent == .inputClosed { departure = schedule(in: farewell, context) }
        context.fireUserInboundEventTriggered(event)
    }

    package func channelInactive(context: ChannelHandlerContext) {
        cancel()
        context.fireChannelInactive()
    }

    package func handlerRemoved(context: ChannelHandlerContext) { cancel() }

    private func close(_ context: ChannelHandlerContext) {
        isClosing = true
        context.close(promise: nil)
    }

    private func cancel() {
        for task in [arrival, stall, departure] { task?.cancel() }
        (arrival, stall, departure) = (nil, nil, nil)
        place?.leave()
        place = nil
    }

    /// Begins the time within which the next request has to arrive.
    private func expectRequest(_ context: ChannelHandlerContext) {
        arrival?.cancel()
        arrival = schedule(in: arrivalTime, context)
    }

    private func schedule(in time: TimeAmount, _ context: ChannelHandlerContext) -> Scheduled<Void> {
        context.eventLoop.assumeIsolated().scheduleTask(in: time) { context.close(promise: nil) }
    }
}
