/// A QR code (ISO/IEC 18004) of a text, for phones that are held before a terminal.
///
/// Byte mode, error correction level L, versions 1 to 20, which hold 17 to 858 bytes.
package struct QRCode: Sendable, Hashable {
    /// How many modules a side has: 17 and 4 for each version.
    package let size: Int
    /// Whether a module is dark, row by row.
    private var modules: [Bool]
    /// Whether a module belongs to a pattern and not to the data.
    private var isPattern: [Bool]

    /// The code of a text; `nil` for one that is too long.
    package init?(_ text: String) {
        guard let version = Version(holding: text.utf8.count) else { return nil }
        var code = QRCode(size: version.size)
        code.drawPatterns(version)
        code.drawData(version.codewords(of: Array(text.utf8)))
        // The mask that leaves the fewest patterns that confuse readers (section 7.8.3).
        let masked = (0..<8).map { code.with(mask: $0) }
        guard let best = masked.min(by: { $0.penalty < $1.penalty }) else { return nil }
        self = best
    }

    private init(size: Int) {
        self.size = size
        modules = Array(repeating: false, count: size * size)
        isPattern = modules
    }

    /// Whether the module in a row and a column is dark; outside everything is light.
    package subscript(row: Int, column: Int) -> Bool {
        guard (0..<size).contains(row), (0..<size).contains(column) else { return false }
        return modules[row * size + column]
    }

    /// The code in half blocks, two rows a line, with the light border that readers need; in colours of its own, because a
    /// terminal may be light or dark.
    package var lines: [String] {
        let border = 3
        return stride(from: -border, to: size + border, by: 2).map { row in
            let blocks = (-border..<size + border).map { column -> Character in
                switch (self[row, column], self[row + 1, column]) {
                case (false, false): "█"
                case (false, true): "▀"
                case (true, false): "▄"
                case (true, true): " "
                }
            }
            return "\u{1b}[97;40m\(String(blocks))\u{1b}[0m"
        }
    }
}

// MARK: - Patterns

extension QRCode {
    private mutating func setPattern(_ row: Int, _ column: Int, _ isDark: Bool) {
        guard (0..<size).contains(row), (0..<size).contains(column) else { return }
        modules[row * size + column] = isDark
        isPattern[row * size + column] = true
    }

    /// Finder, timing and alignment patterns, the places of the format, and the version (section 6.3).
    private mutating func drawPatterns(_ version: Version) {
        for index in 0..<size {
            setPattern(6, index, index.isMultiple(of: 2))
            setPattern(index, 6, index.isMultiple(of: 2))
        }
        for (row, column) in [(3, 3), (3, size - 4), (size - 4, 3)] { drawFinder(row, column) }
        let places = version.alignmentPlaces
        for row in places {
            for column in places where !isFinder(row, column) { drawAlignment(row, column) }
        }
        drawFormat(mask: 0)
        if version.number >= 7 { drawVersion(version) }
    }

    private func isFinder(_ row: Int, _ column: Int) -> Bool {
        (row < 9 && column < 9) || (row < 9 && column > size - 10) || (row > size - 10 && column < 9)
    }

    private mutating func drawFinder(_ row: Int, _ column: Int) {
        for down in -4...4 {
            for right in -4...4 {
                let ring = max(abs(down), abs(right))
                setPattern(row + down, column + right, ring != 2 && ring != 4)
            }
        }
    }

    private mutating func drawAlignment(_ row: Int, _ column: Int) {
        for down in -2...2 {
            for right in -2...2 { setPattern(row + down, column + right, max(abs(down), abs(right)) != 1) }
        }
    }

    /// Level and mask with a BCH code of ten bits, twice (section 7.9).
    private mutating func drawFormat(mask: Int) {
        let bits = BCHCode.format(level: 0b01, mask: mask)
        func bit(_ index: Int) -> Bool { bits >> index & 1 != 0 }
        for index in 0...5 { setPattern(index, 8, bit(index)) }
        setPattern(7, 8, bit(6))
        setPattern(8, 8, bit(7))
        setPattern(8, 7, bit(8))
        for index in 9..<15 { setPattern(8, 14 - index, bit(index)) }
        for index in 0..<8 { setPattern(8, size - 1 - index, bit(index)) }
        for index in 8..<15 { setPattern(size - 15 + index, 8, bit(index)) }
        setPattern(size - 8, 8, true)
    }

    /// The version with a BCH code of twelve bits, twice (section 7.10).
    private mutating func drawVersion(_ version: Version) {
        let bits = BCHCode.version(version.number)
        for index in 0..<18 {
            let (far, near) = (size - 11 + index % 3, index / 3)
            setPattern(far, near, bits >> index & 1 != 0)
            setPattern(near, far, bits >> index & 1 != 0)
        }
    }
}

// MARK: - Data

extension QRCode {
    /// Two columns at a time, from the right, up and down in turns (section 7.7.3).
    private mutating func drawData(_ codewords: [UInt8]) {
        var bit = 0
        var right = size - 1
        while right >= 1 {
            if right == 6 { right = 5 }  // the timing pattern
            for step in 0..<size {
                let isUpward = (right + 1) & 2 == 0
                let row = isUpward ? size - 1 - step : step
                for column in [right, right - 1] where !isPattern[row * size + column] && bit < codewords.count * 8 {
                    modules[row * size + column] = codewords[bit / 8] >> (7 - bit % 8) & 1 != 0
                    bit += 1
                }
            }
            right -= 2
        }
    }

    private func with(mask: Int) -> QRCode {
        var code = self
        for row in 0..<size {
            for column in 0..<size where !isPattern[row * size + column] && Self.inverts(mask, row, column) {
                code.modules[row * size + column].toggle()
            }
        }
        code.drawFormat(mask: mask)
        return code
    }

    /// Whether a mask inverts a module (section 7.8.2).
    private static func inverts(_ mask: Int, _ row: Int, _ column: Int) -> Bool {
        switch mask {
        case 0: (row + column) % 2 == 0
        case 1: row % 2 == 0
        case 2: column % 3 == 0
        case 3: (row + column) % 3 == 0
        case 4: (row / 2 + column / 3) % 2 == 0
        case 5: row * column % 2 + row * column % 3 == 0
        case 6: (row * column % 2 + row * column % 3) % 2 == 0
        case _: ((row + column) % 2 + row * column % 3) % 2 == 0
        }
    }

    /// How much a reader may be confused: long runs, squares of one colour, runs like finder patterns, imbalance.
    private var penalty: Int {
        var penalty = 0
        for index in 0..<size {
            penalty += Self.penalty(ofLine: (0..<size).map { self[index, $0] })
            penalty += Self.penalty(ofLine: (0..<size).map { self[$0, index] })
        }
        for row in 0..<size - 1 {
            for column in 0..<size - 1 {
                let colour = self[row, column]
                if self[row, column + 1] == colour, self[row + 1, column] == colour, self[row + 1, column + 1] == colour
                {
                    penalty += 3
                }
            }
        }
        let dark = modules.count { $0 }
        return penalty + abs(dark * 20 - modules.count * 10) / modules.count * 10
    }

    private static func penalty(ofLine line: [Bool]) -> Int {
        var penalty = 0
        var run = 0
        for (index, isDark) in line.enumerated() {
            run = index > 0 && line[index - 1] == isDark ? run + 1 : 1
            if run == 5 { penalty += 3 } else if run > 5 { penalty += 1 }
        }
        let finder = [true, false, true, true, true, false, true]
        let light = [false, false, false, false]
        for pattern in [finder + light, light + finder] where line.count >= pattern.count {
            for start in 0...line.count - pattern.count where Array(line[start..<start + pattern.count]) == pattern {
                penalty += 40
            }
        }
        return penalty
    }
}
