internal import CQREncode

/// A QR code (ISO/IEC 18004) of a text, by libqrencode, to be scanned from a screen with a phone.
package struct QRCode: Sendable, Hashable {
    /// The number of modules of a side: 17 and 4 for each version.
    package let size: Int
    /// Whether a module is dark, row by row.
    private let modules: [Bool]

    /// The width of the light margin that readers need, in modules.
    private static let border = 4

    /// Creates the code of a text, in bytes and with the lowest error correction; `nil` for an empty text and one of
    /// more than 2953 bytes.
    package init?(_ text: String) {
        let bytes = Array(text.utf8)
        guard let code = QRcode_encodeData(Int32(bytes.count), bytes, 0, QR_ECLEVEL_L) else { return nil }
        defer { QRcode_free(code) }
        let size = Int(code.pointee.width)
        self.size = size
        // The least significant bit of each byte is the colour.
        modules = (0..<size * size).map { code.pointee.data[$0] & 1 == 1 }
    }

    /// Whether the module in a row and a column is dark; all modules outside are light.
    package subscript(row: Int, column: Int) -> Bool {
        guard (0..<size).contains(row), (0..<size).contains(column) else { return false }
        return modules[row * size + column]
    }

    /// The code in half blocks, with two rows per line.
    ///
    /// - Parameter inColours: whether the text sets its own colours, because a terminal may be light or dark. Without
    ///   them the code is readable only if letters are lighter than the background.
    package func lines(inColours: Bool) -> [String] {
        stride(from: -Self.border, to: size + Self.border, by: 2).map { row in
            let blocks = (-Self.border..<size + Self.border).map { column -> Character in
                switch (self[row, column], self[row + 1, column]) {
                case (false, false): "█"
                case (false, true): "▀"
                case (true, false): "▄"
                case (true, true): " "
                }
            }
            return inColours ? "\u{1b}[97;40m\(String(blocks))\u{1b}[0m" : String(blocks)
        }
    }

    /// The code as a picture, black on white, one unit per module.
    package var svg: String {
        let side = size + 2 * Self.border
        var path = ""
        for row in 0..<size {
            for column in 0..<size where self[row, column] {
                path += "M\(column + Self.border) \(row + Self.border)h1v1h-1z"
            }
        }
        return """
            <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 \(side) \(side)" shape-rendering="crispEdges">\
            <path fill="#fff" d="M0 0h\(side)v\(side)H0z"/><path d="\(path)"/></svg>
            """
    }
}
