package import NIOCore
import TrackEngine

/// Lines over a channel, both ways, bounded in length and in time; one task owns it.
package struct LineChannel: Sendable {
    /// Why no line could be read or written. Nothing can be read after it.
    package enum Failure: Error, Hashable {
        /// The line is longer than the limit; what follows it is not looked at.
        case tooLong
        /// Nothing came, or nothing was taken, in time.
        case timedOut
        /// The other side is gone.
        case disconnected
        case cancelled
    }

    /// The most bytes that are written at a time. The kernel tells of what the other side takes when it has taken the
    /// whole of such a piece.
    private static let pieceLength = 4_096

    let channel: any Channel
    private let reader: NIOLoopBound<LineReader>

    /// Takes over a channel that reads nothing by itself (`autoRead` is off). To be called on its event loop.
    ///
    /// - Parameter longestLine: the most bytes of a line that is read, without its end.
    package init(_ channel: any Channel, longestLine: Int) throws {
        let reader = LineReader(longestLine: longestLine)
        try channel.pipeline.syncOperations.addHandler(reader)
        self.channel = channel
        self.reader = NIOLoopBound(reader, eventLoop: channel.eventLoop)
    }

    /// The next line without its end; `nil` at the end of the stream. A last line that is cut off does not count.
    ///
    /// - Parameter limit: how long the whole line may take.
    package func readLine(within limit: Duration) async throws(Failure) -> [UInt8]? {
        let line = try await outcome { (promise: EventLoopPromise<[UInt8]?>) in
            let deadline = channel.eventLoop.scheduleTask(in: TimeAmount(limit)) { promise.fail(Failure.timedOut) }
            promise.futureResult.whenComplete { _ in deadline.cancel() }
            reader.value.readLine(promise)
        }
        if line == nil, Task.isCancelled { throw .cancelled }
        return line
    }

    /// Writes bytes, which should end a line, and returns when the system has taken them all.
    ///
    /// - Parameter limit: how long the other side may take nothing, or less than 4 KiB.
    package func write(_ bytes: [UInt8], within limit: Duration) async throws(Failure) {
        var rest = bytes[...]
        while !rest.isEmpty {
            let piece = channel.allocator.buffer(bytes: rest.prefix(Self.pieceLength))
            try await outcome { (promise: EventLoopPromise<Void>) in
                failWhenStalled(promise, for: limit)
                channel.writeAndFlush(piece, promise: promise)
            }
            rest = rest.dropFirst(Self.pieceLength)
        }
    }

    /// Ends the connection; whoever reads or writes is told.
    package func close() { channel.close(promise: nil) }

    /// Fails a write when the other side has taken nothing for a time. Waiting for the write's own end would fail slow
    /// readers: a full socket is writable again when three quarters of its buffer are free.
    private func failWhenStalled(_ write: EventLoopPromise<Void>, for limit: Duration) {
        let stall = NIOLoopBoundBox(WriteStall(untaken: untakenBytes), eventLoop: channel.eventLoop)
        let pause = TimeAmount(limit / WriteStall.looks)
        let watch = channel.eventLoop.scheduleRepeatedTask(initialDelay: pause, delay: pause) { _ in
            if stall.value.lasts(untaken: untakenBytes) { write.fail(Failure.timedOut) }
        }
        write.futureResult.whenComplete { _ in watch.cancel() }
    }

    /// What an operation on the channel's event loop came to.
    private func outcome<Value: Sendable>(
        of operation: @escaping @Sendable (EventLoopPromise<Value>) -> Void
    ) async throws(Failure) -> Value {
        let loop = channel.eventLoop
        let outcome = loop.flatSubmit {
            let promise = loop.makePromise(of: Value.self)
            operation(promise)
            return promise.futureResult
        }
        do {
            return try await withTaskCancellationHandler {
                try await outcome.get()
            } onCancel: {
                close()
            }
        } catch {
            throw Task.isCancelled ? .cancelled : error as? Failure ?? .disconnected
        }
    }
}

/// Whether the other side has stopped taking what is written to it, by looking now and then at how much is left.
private struct WriteStall {
    /// How many looks in a row must find the same.
    static let looks = 4

    private var untaken: Int
    private var unchanged = 0

    init(untaken: Int) { self.untaken = untaken }

    /// Takes a look; whether nothing has changed for so many looks.
    mutating func lasts(untaken now: Int) -> Bool {
        unchanged = now == untaken ? unchanged + 1 : 0
        untaken = now
        return unchanged >= Self.looks
    }
}

/// Takes lines from a channel, which reads only while somebody waits for one. It lives on the channel's event loop.
private final class LineReader: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer

    private let longestLine: Int
    private var received = ByteBuffer()
    /// How many of the received bytes are known to hold no end of a line.
    private var searched = 0
    private var reader: EventLoopPromise<[UInt8]?>?
    private var hasEnded = false
    private var context: ChannelHandlerContext?

    init(longestLine: Int) { self.longestLine = longestLine }

    func readLine(_ promise: EventLoopPromise<[UInt8]?>) {
        reader = promise
        advance()
    }

    private func advance() {
        guard let promise = reader else { return }
        do throws(LineChannel.Failure) {
            let line = try takeLine()
            guard line != nil || hasEnded else {
                context?.read()
                return
            }
            promise.succeed(line)
        } catch {
            promise.fail(error)
        }
        reader = nil
    }

    private func takeLine() throws(LineChannel.Failure) -> [UInt8]? {
        let bytes = received.readableBytesView
        let newline = bytes.dropFirst(searched).firstIndex(of: UInt8(ascii: "\n"))
        let length = (newline ?? bytes.endIndex) - bytes.startIndex
        guard length <= longestLine else { throw .tooLong }
        guard newline != nil else {
            searched = length
            return nil
        }
        let line = received.readBytes(length: length)
        received.moveReaderIndex(forwardBy: 1)
        received.discardReadBytes()
        searched = 0
        return line
    }

    // MARK: The channel's events

    func handlerAdded(context: ChannelHandlerContext) { self.context = context }

    func handlerRemoved(context: ChannelHandlerContext) {
        self.context = nil
        end()
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        var bytes = Self.unwrapInboundIn(data)
        received.writeBuffer(&bytes)
    }

    func channelReadComplete(context: ChannelHandlerContext) { advance() }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if event as? ChannelEvent == .inputClosed { end() }
    }

    func channelInactive(context: ChannelHandlerContext) { end() }

    private func end() {
        hasEnded = true
        advance()
    }
}
