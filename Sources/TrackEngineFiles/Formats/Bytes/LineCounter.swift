/// Counts the lines of a document byte by byte: they end with LF, CR LF or CR.
package struct LineCounter: Sendable {
    /// The line of the next byte, from 1 on.
    package private(set) var number: Int
    /// Whether the next byte begins a line, also between CR and LF.
    private(set) var isLineStart = true
    private var endedWithReturn = false

    /// - Parameter number: The number of the first line.
    package init(number: Int = 1) {
        self.number = number
    }

    /// Counts a byte.
    @inline(__always)
    package mutating func pass(_ byte: UInt8) {
        isLineStart = byte.endsLine
        guard isLineStart else {
            endedWithReturn = false
            return
        }
        if byte == 0x0d || !endedWithReturn { number += 1 }
        endedWithReturn = byte == 0x0d
    }
}

extension UInt8 {
    /// LF or CR.
    @inline(__always)
    var endsLine: Bool { self == 0x0a || self == 0x0d }
}
