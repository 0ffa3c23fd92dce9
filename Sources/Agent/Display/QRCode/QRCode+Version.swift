extension QRCode {
    /// A size of code, and how its codewords are divided (table 9 of the standard, level L).
    struct Version: Sendable, Hashable {
        /// 1 to 20.
        let number: Int

        /// The smallest version that holds so many bytes; `nil` where none does.
        init?(holding count: Int) {
            guard let number = (1...20).first(where: { Version($0).capacity >= count }) else { return nil }
            self.number = number
        }

        private init(_ number: Int) { self.number = number }

        var size: Int { 17 + 4 * number }

        /// The centres of the alignment patterns, in both directions (annex E).
        var alignmentPlaces: [Int] {
            guard number > 1 else { return [] }
            let count = number / 7 + 2
            let step = (number * 8 + count * 3 + 5) / (count * 4 - 4) * 2
            return [6] + (0..<count - 1).map { size - 7 - $0 * step }.reversed()
        }

        /// How many bytes of text it holds, beside four bits of mode and eight or sixteen of length.
        private var capacity: Int { dataCodewords - (number < 10 ? 2 : 3) }

        /// All codewords: what is left of the modules beside the patterns.
        private var codewordCount: Int {
            var modules = (16 * number + 128) * number + 64
            if number >= 2 {
                let count = number / 7 + 2
                modules -= (25 * count - 10) * count - 55
                if number >= 7 { modules -= 36 }
            }
            return modules / 8
        }

        private var dataCodewords: Int { codewordCount - blocks * correction }

        private var blocks: Int { [1, 1, 1, 1, 1, 2, 2, 2, 2, 4, 4, 4, 4, 4, 6, 6, 6, 6, 7, 8][number - 1] }

        /// Codewords of error correction in a block.
        private var correction: Int {
            [7, 10, 15, 20, 26, 18, 20, 24, 30, 18, 20, 24, 26, 30, 22, 24, 28, 30, 28, 28][number - 1]
        }

        /// The codewords of bytes: mode, length, text and filling in blocks, then the error correction of each, interleaved.
        func codewords(of bytes: [UInt8]) -> [UInt8] {
            let data = filled(bytes)
            let short = codewordCount / blocks - correction
            let shortBlocks = blocks - codewordCount % blocks
            var parts: [[UInt8]] = []
            var start = 0
            for block in 0..<blocks {
                let length = short + (block < shortBlocks ? 0 : 1)
                parts.append(Array(data[start..<start + length]))
                start += length
            }
            let corrections = parts.map { ReedSolomon.remainder(of: $0, count: correction) }
            let interleaved = (0...short).flatMap { index in parts.compactMap { index < $0.count ? $0[index] : nil } }
            return interleaved + (0..<correction).flatMap { index in corrections.map { $0[index] } }
        }

        /// Mode, length and text, an end, and bytes that fill the rest (sections 7.4.5 and 7.4.10).
        private func filled(_ bytes: [UInt8]) -> [UInt8] {
            var bits: [Bool] = []
            func append(_ value: Int, _ count: Int) {
                for index in (0..<count).reversed() { bits.append(value >> index & 1 != 0) }
            }
            append(0b0100, 4)
            append(bytes.count, number < 10 ? 8 : 16)
            for byte in bytes { append(Int(byte), 8) }
            append(0, min(4, dataCodewords * 8 - bits.count))
            append(0, (8 - bits.count % 8) % 8)
            var filled = stride(from: 0, to: bits.count, by: 8).map { start in
                bits[start..<start + 8].reduce(UInt8(0)) { $0 << 1 | ($1 ? 1 : 0) }
            }
            for index in 0..<dataCodewords - filled.count { filled.append(index.isMultiple(of: 2) ? 0xec : 0x11) }
            return filled
        }
    }
}

/// Reed–Solomon codes over GF(2⁸) with the polynomial 0x11d (section 7.5 and annex A).
enum ReedSolomon {
    /// What is appended to data so that errors can be corrected.
    static func remainder(of data: [UInt8], count: Int) -> [UInt8] {
        let divisor = generator(count)
        var remainder = [UInt8](repeating: 0, count: count)
        for byte in data {
            let factor = byte ^ remainder.removeFirst()
            remainder.append(0)
            for index in remainder.indices { remainder[index] ^= product(divisor[index], factor) }
        }
        return remainder
    }

    /// The product of (x − 2⁰)(x − 2¹)…, without its leading coefficient.
    private static func generator(_ degree: Int) -> [UInt8] {
        var polynomial = [UInt8](repeating: 0, count: degree - 1) + [1]
        var root: UInt8 = 1
        for _ in 0..<degree {
            for index in polynomial.indices {
                polynomial[index] = product(polynomial[index], root)
                if index + 1 < polynomial.count { polynomial[index] ^= polynomial[index + 1] }
            }
            root = product(root, 2)
        }
        return polynomial
    }

    private static func product(_ left: UInt8, _ right: UInt8) -> UInt8 {
        var product = 0
        for index in (0..<8).reversed() {
            product = product << 1 ^ (product >> 7 * 0x11d)
            product ^= (Int(right) >> index & 1) * Int(left)
        }
        return UInt8(truncatingIfNeeded: product)
    }
}

/// The codes that protect format and version (annexes C and D).
enum BCHCode {
    /// Level and mask, fifteen bits.
    static func format(level: Int, mask: Int) -> Int {
        let data = level << 3 | mask
        var remainder = data
        for _ in 0..<10 { remainder = remainder << 1 ^ (remainder >> 9) * 0x537 }
        return (data << 10 | remainder) ^ 0x5412
    }

    /// The version, eighteen bits.
    static func version(_ number: Int) -> Int {
        var remainder = number
        for _ in 0..<12 { remainder = remainder << 1 ^ (remainder >> 11) * 0x1f25 }
        return number << 12 | remainder
    }
}
