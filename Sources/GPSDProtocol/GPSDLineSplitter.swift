/// Splits gpsd's byte stream into lines, independently of how the bytes arrive.
///
/// A line ends with LF; a CR before it is removed, and empty lines are skipped. gpsd's protocol bounds a line at
/// 10 240 bytes. A longer line is skipped up to its end and reported once, so that neither a broken nor a hostile peer
/// makes the buffer grow.
package struct GPSDLineSplitter: Sendable {
    /// A result of appended bytes.
    package enum Part: Sendable, Hashable {
        /// A complete line without its line end.
        case line([UInt8])
        /// A line longer than the bound; it has been skipped.
        case oversized
    }

    private enum State {
        /// Holds the beginning of a line, shorter than the bound; the rest has not arrived.
        case collecting([UInt8])
        /// Inside a line that is too long; the end of the line leads back to `collecting`.
        case skipping
    }

    /// gpsd's own bound for a line, in bytes.
    package static let protocolBound = 10_240

    private let bound: Int
    private var state = State.collecting([])

    /// Creates a splitter before the first byte.
    ///
    /// - Parameter bound: the longest line in bytes, without its line end.
    package init(bound: Int = GPSDLineSplitter.protocolBound) {
        self.bound = bound
    }

    /// Appends the next bytes and calls `body` with each line that they complete, in order.
    package mutating func append(_ bytes: some Collection<UInt8>, _ body: (Part) -> Void) {
        var rest = bytes[...]
        while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
            extend(with: rest[..<end])
            finishLine(body)
            rest = rest[rest.index(after: end)...]
        }
        extend(with: rest)
    }

    private mutating func extend(with bytes: some Collection<UInt8>) {
        guard case .collecting(var line) = state else { return }
        state = .skipping  // so that the array is not shared, and grows in place
        // One byte more than the bound may be the CR of the line end.
        guard line.count + bytes.count <= bound + 1 else { return }
        line.append(contentsOf: bytes)
        state = .collecting(line)
    }

    private mutating func finishLine(_ body: (Part) -> Void) {
        switch state {
        case .skipping:
            body(.oversized)
        case .collecting(var line):
            if line.last == UInt8(ascii: "\r") { line.removeLast() }
            if line.count > bound {
                body(.oversized)
            } else if !line.isEmpty {
                body(.line(line))
            }
        }
        state = .collecting([])
    }
}
