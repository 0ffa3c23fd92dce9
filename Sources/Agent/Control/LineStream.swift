import Glibc
package import TrackEngine

/// Lines over a socket, both ways, bounded in length and in time; one task owns it.
package struct LineStream: Sendable {
    /// Why no line could be read or written.
    package enum Failure: Error, Hashable {
        /// The line is longer than the limit; what follows it is not looked at.
        case tooLong
        /// Nothing came, or nothing was taken, in time.
        case timedOut
        /// The other side is gone.
        case disconnected
        case cancelled
    }

    let descriptor: Descriptor
    let poller: DescriptorPoller
    /// The most bytes of a line that is read, without its end.
    let longestLine: Int
    private var received: [UInt8] = []
    private var searched = 0

    package init(_ descriptor: Descriptor, poller: DescriptorPoller, longestLine: Int) {
        self.descriptor = descriptor
        self.poller = poller
        self.longestLine = longestLine
        descriptor.makeNonBlocking()
    }

    // MARK: Reading

    /// The next line without its end; `nil` at the end of the stream. A last line that is cut off does not count.
    ///
    /// - Parameter limit: how long the whole line may take; `nil` waits for ever.
    package mutating func readLine(within limit: Duration?) async throws(Failure) -> [UInt8]? {
        let end = limit.map { ContinuousClock.now.advanced(by: $0) }
        while true {
            if let line = try takeLine() { return line }
            switch readSome() {
            case .bytes(0): return nil
            case .bytes: continue
            case .wouldBlock: try await wait(until: .readable, before: end)
            case .failed: throw .disconnected
            }
        }
    }

    private mutating func takeLine() throws(Failure) -> [UInt8]? {
        guard let newline = received[searched...].firstIndex(of: UInt8(ascii: "\n")) else {
            searched = received.count
            if received.count > longestLine { throw .tooLong }
            return nil
        }
        guard newline <= longestLine else { throw .tooLong }
        let line = Array(received[..<newline])
        received.removeSubrange(...newline)
        searched = 0
        return line
    }

    private mutating func readSome() -> Transfer {
        let room = 16_384
        let start = received.count
        received.append(contentsOf: repeatElement(0, count: room))
        let result = received.withUnsafeMutableBytes { bytes in
            recv(descriptor.raw, bytes.baseAddress?.advanced(by: start), room, 0)
        }
        let code = errno
        received.removeLast(room - max(0, result))
        return Transfer(result, code: code)
    }

    // MARK: Writing

    /// Writes bytes, which should end a line, and returns when the system has taken them all.
    ///
    /// - Parameter limit: how long the other side may take nothing.
    package func write(_ bytes: [UInt8], within limit: Duration) async throws(Failure) {
        var rest = bytes[...]
        while !rest.isEmpty {
            switch writeSome(of: rest) {
            case .bytes(let count): rest = rest.dropFirst(count)
            case .wouldBlock: try await wait(until: .writable, before: ContinuousClock.now.advanced(by: limit))
            case .failed: throw .disconnected
            }
        }
    }

    private func writeSome(of bytes: ArraySlice<UInt8>) -> Transfer {
        let result = bytes.withUnsafeBytes { send(descriptor.raw, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
        return Transfer(result, code: errno)
    }

    private func wait(
        until interest: DescriptorPoller.Interest, before end: ContinuousClock.Instant?
    ) async throws(Failure) {
        let left = end.map { ContinuousClock.now.duration(to: $0) }
        if let left, left <= .zero { throw .timedOut }
        switch await poller.wait(until: interest, descriptor, within: left) {
        case .ready: return
        case .timedOut: throw .timedOut
        case .cancelled: throw .cancelled
        }
    }
}
