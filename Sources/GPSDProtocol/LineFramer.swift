/// Cuts gpsd's byte stream into lines, however the bytes arrive.
///
/// A line ends with LF; a CR before it is taken off, empty lines are passed over. gpsd's protocol bounds a line at
/// 10 240 bytes: what is longer is skipped up to its end and announced once, so that neither a broken nor a hostile peer
/// makes the buffer grow.
package struct LineFramer: Sendable {
    /// What a run of bytes brought to an end.
    package enum Piece: Sendable, Hashable {
        /// A whole line without its line end.
        case line([UInt8])
        /// A line longer than the bound; it has been skipped.
        case oversized
    }

    private enum State {
        /// Holds the beginning of a line, shorter than the bound; the rest is still to come.
        case collecting([UInt8])
        /// Inside a line that is too long; its end leads back to `collecting`.
        case skipping
    }

    /// gpsd's own bound of a line, in bytes.
    package static let protocolBound = 10_240

    private let bound: Int
    private var state = State.collecting([])

    /// A framer before the first byte.
    ///
    /// - Parameter bound: the longest line in bytes, without its line end.
    package init(bound: Int = LineFramer.protocolBound) {
        self.bound = bound
    }

    /// Takes the next bytes and hands over each line that they complete, in order.
    package mutating func append(_ bytes: some Collection<UInt8>, _ body: (Piece) -> Void) {
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

    private mutating func finishLine(_ body: (Piece) -> Void) {
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
