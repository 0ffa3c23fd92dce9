package import NIOCore
import TrackEngine

/// Lines over a channel in both directions, limited in length and in time; one task owns it.
package struct LineConnection: Sendable {
    /// The reason why no line could be read or written. No line can be read after it.
    package enum Failure: Error, Hashable {
        /// The line is longer than the limit; the bytes after it are not read.
        case tooLong
        /// No bytes arrived, or none were accepted, in time.
        case timedOut
        /// The other side has disconnected.
        case disconnected
        case cancelled
    }

    /// The maximum number of bytes to write at a time. The kernel reports the other side's progress only when such a
    /// piece has been accepted completely.
    private static let pieceLength = 4_096

    let channel: any Channel
    private let reader: NIOLoopBound<LineReader>

    /// Takes over a channel that does not read by itself (`autoRead` is off). Call it on the channel's event loop.
    ///
    /// - Parameter longestLine: the maximum length of a line to read, in bytes without its end.
    package init(_ channel: any Channel, longestLine: Int) throws {
        let reader = LineReader(longestLine: longestLine)
        try channel.pipeline.syncOperations.addHandler(reader)
        self.channel = channel
        self.reader = NIOLoopBound(reader, eventLoop: channel.eventLoop)
    }

    /// The next line without its end; `nil` at the end of the stream. An incomplete last line is ignored.
    ///
    /// - Parameter limit: the time limit for the whole line.
    package func readLine(within limit: Duration) async throws(Failure) -> [UInt8]? {
        let line = try await outcome { (promise: EventLoopPromise<[UInt8]?>) in
            let deadline = channel.eventLoop.scheduleTask(in: TimeAmount(limit)) { promise.fail(Failure.timedOut) }
            promise.futureResult.whenComplete { _ in deadline.cancel() }
            reader.value.readLine(promise)
        }
        if line == nil, Task.isCancelled { throw .cancelled }
        return line
    }

    /// Writes bytes, which should end a line, and returns when the system has accepted all of them.
    ///
    /// - Parameter limit: the longest time in which the other side may accept no bytes, or less than 4 KiB.
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

    /// Closes the connection; reads and writes in progress fail.
    package func close() { channel.close(promise: nil) }

    /// Fails a write when the other side has accepted no bytes for a time. A time limit for the whole write would
    /// fail slow readers: a full socket is writable again only when three quarters of its buffer are free.
    private func failWhenStalled(_ write: EventLoopPromise<Void>, for limit: Duration) {
        let stall = NIOLoopBoundBox(WriteProgress(untaken: untakenBytes), eventLoop: channel.eventLoop)
        let pause = TimeAmount(limit / WriteProgress.looks)
        let watch = channel.eventLoop.scheduleRepeatedTask(initialDelay: pause, delay: pause) { _ in
            if stall.value.lasts(untaken: untakenBytes) { write.fail(Failure.timedOut) }
        }
        write.futureResult.whenComplete { _ in watch.cancel() }
    }

    /// Runs an operation on the channel's event loop and returns its outcome.
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

/// Detects that the other side no longer accepts bytes, by repeated looks at the number of bytes left.
private struct WriteProgress {
    /// The number of consecutive looks that must find the same number.
    static let looks = 4

    private var untaken: Int
    private var unchanged = 0

    init(untaken: Int) { self.untaken = untaken }

    /// Takes a look; returns whether the number has not changed for `looks` looks.
    mutating func lasts(untaken now: Int) -> Bool {
        unchanged = now == untaken ? unchanged + 1 : 0
        untaken = now
        return unchanged >= Self.looks
    }
}

/// Reads lines from a channel, but only while a task waits for one. It belongs to the channel's event loop.
private final class LineReader: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer

    private let longestLine: Int
    private var received = ByteBuffer()
    /// The number of received bytes that are known to contain no line end.
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
        do throws(LineConnection.Failure) {
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

    private func takeLine() throws(LineConnection.Failure) -> [UInt8]? {
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
