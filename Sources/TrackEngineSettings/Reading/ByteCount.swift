extension ValueRule<Int64> {
    /// A number of bytes within a range, or a text such as `100MB` or `64 MiB`.
    public static func bytes(_ range: ClosedRange<Int64>) -> ValueRule {
        bytes("\(range.lowerBound) to \(range.upperBound) bytes, such as 100MB") { range.contains($0) }
    }

    /// A number of bytes within a range, or 0 for no limit.
    public static func limitOfBytes(_ range: ClosedRange<Int64>) -> ValueRule {
        bytes("0 (no limit) or at least \(range.lowerBound) bytes, such as 100MB or 64 MiB") {
            $0 == 0 || range.contains($0)
        }
    }

    private static func bytes(_ expectation: String, allows: @escaping @Sendable (Int64) -> Bool) -> ValueRule {
        ValueRule(.size, expectation) { node in
            node.text.flatMap(ByteCount.init).flatMap { allows($0.bytes) ? $0.bytes : nil }
        }
    }
}

extension Field {
    /// A number of bytes within a range, or `null` for off.
    public static func bytes(
        _ name: String, _ path: any WritableKeyPath<Section, Int64?> & Sendable, _ range: ClosedRange<Int64>
    ) -> Field {
        value(name, path, .bytes(range), show: { .word("\($0)") })
    }

    /// A limit in bytes within a range, or 0 for none.
    public static func bytes(
        _ name: String, _ path: any WritableKeyPath<Section, Int64> & Sendable, _ range: ClosedRange<Int64>
    ) -> Field {
        value(name, path, .limitOfBytes(range), show: { .word("\($0)") })
    }
}

/// A size in its written form.
struct ByteCount {
    let bytes: Int64

    /// Reads a whole number with a unit: B, kB, MB, GB, TB (powers of 1000) or KiB, MiB, GiB, TiB (powers of 1024).
    init?(_ text: String) {
        let digits = text.prefix { $0.isASCII && $0.isNumber }
        guard digits.count <= 18, let number = Int64(digits) else { return nil }
        let unit = text.dropFirst(digits.count).drop { $0 == " " }
        guard let factor = Self.units[String(unit)] else { return nil }
        let (bytes, overflow) = number.multipliedReportingOverflow(by: factor)
        guard !overflow else { return nil }
        self.bytes = bytes
    }

    private static let units: [String: Int64] = [
        "": 1, "B": 1, "kB": 1000, "KB": 1000, "MB": 1_000_000, "GB": 1_000_000_000, "TB": 1_000_000_000_000,
        "KiB": 1 << 10, "MiB": 1 << 20, "GiB": 1 << 30, "TiB": 1 << 40,
    ]
}
