/// Reads the members of a packet (MQTT 5 section 1.5), never beyond its end; `nil` where there is no such member.
struct PacketReader {
    private var rest: ArraySlice<UInt8>
    /// The problem of the packet, if it is not just a member that does not fit.
    private(set) var problem: String?

    init(_ bytes: ArraySlice<UInt8>) {
        rest = bytes
    }

    var isAtEnd: Bool { rest.isEmpty }

    mutating func skipToEnd() {
        rest = rest[rest.endIndex...]
    }

    /// Notes a problem; returns `false`, which ends the reading.
    mutating func fail(_ text: String) -> Bool {
        problem = problem ?? text
        return false
    }

    mutating func byte() -> UInt8? {
        rest.popFirst()
    }

    /// An integer of at most four bytes.
    mutating func integer(_ count: Int) -> UInt32? {
        take(count)?.reduce(0) { $0 << 8 | UInt32($1) }
    }

    /// A variable byte integer of at most four bytes.
    mutating func variableInteger() -> Int? {
        var value = 0
        for shift in stride(from: 0, through: 21, by: 7) {
            guard let byte = byte() else { return nil }
            value |= Int(byte & 0x7F) << shift
            if byte & 0x80 == 0 { return value }
        }
        return nil
    }

    /// Bytes preceded by their count.
    mutating func binary() -> ArraySlice<UInt8>? {
        integer(2).flatMap { take(Int($0)) }
    }

    /// A UTF-8 text without U+0000.
    mutating func text() -> String? {
        guard let bytes = binary() else { return nil }
        guard !bytes.contains(0), let text = String(validating: bytes, as: UTF8.self) else {
            _ = fail("expected a text in UTF-8 without U+0000")
            return nil
        }
        return text
    }

    /// The next bytes as a reader of their own.
    mutating func part(_ count: Int) -> PacketReader? {
        take(count).map(PacketReader.init)
    }

    private mutating func take(_ count: Int) -> ArraySlice<UInt8>? {
        guard rest.count >= count else { return nil }
        defer { rest = rest.dropFirst(count) }
        return rest.prefix(count)
    }
}
