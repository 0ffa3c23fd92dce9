import TrackEngine

/// The encoding of values that several kinds of events share.
extension CompactWriter {
    /// A number of hundredths that may be absent.
    struct Hundredths {
        let value: Int64?
    }

    /// A number in hundredths; `nil` for one that is not finite.
    static func hundredths(of value: Double?) -> Hundredths? {
        guard let value else { return Hundredths(value: nil) }
        return value.isFinite ? Hundredths(value: value.hundredths) : nil
    }

    mutating func write(time: Timestamp) { write(signed: time.nanosecondsSince1970) }

    /// Writes a length in hundredths; `false` for one that is not finite.
    mutating func write(length: Double) -> Bool {
        guard length.isFinite else { return false }
        write(signed: length.hundredths)
        return true
    }

    /// Writes a place; `false` for one that is not valid.
    mutating func write(_ coordinate: Coordinate) -> Bool {
        guard let place = GridPosition(coordinate) else { return false }
        write(signed: Int64(place.latitude))
        write(signed: Int64(place.longitude))
        return true
    }

    mutating func write(_ terminus: Trip.End) -> Bool {
        write(time: terminus.time)
        guard write(terminus.coordinate) else { return false }
        write(terminus.place)
        return true
    }

    /// Writes 0 for no name, or 1 and the texts.
    mutating func write(_ name: PlaceName?) {
        write(name == nil ? 0 : 1)
        guard let name else { return }
        for text in [name.id, name.name] {
            write(UInt64(text.utf8.count))
            append(text.utf8)
        }
    }
}

/// Reading of the same values.
extension CompactReader {
    /// A name that may be absent, read from valid bytes.
    struct OptionalName {
        let value: PlaceName?
    }

    mutating func readTime() -> Timestamp? { readSigned().map(Timestamp.init(nanosecondsSince1970:)) }

    mutating func readLength() -> Double? { readSigned().map { Double($0) / 100 } }

    mutating func readPlace() -> Coordinate? {
        guard let latitude = readSigned(), let longitude = readSigned() else { return nil }
        return GridPosition(latitude, longitude)?.coordinate
    }

    mutating func readTerminus() -> Trip.End? {
        guard let time = readTime(), let coordinate = readPlace(), let name = readName() else { return nil }
        return Trip.End(time: time, coordinate: coordinate, place: name.value)
    }

    mutating func readName() -> OptionalName? {
        switch read() {
        case 0: return OptionalName(value: nil)
        case 1:
            guard let id = readText(), let name = readText() else { return nil }
            return OptionalName(value: PlaceName(id: id, name: name))
        case _: return nil
        }
    }

    /// Reads the number of a word of a list.
    mutating func readWord<Word>(_ make: (UInt8) -> Word?) -> Word? {
        read().flatMap(UInt8.init(exactly:)).flatMap(make)
    }

    private mutating func readText() -> String? {
        read().flatMap { read(count: $0) }.flatMap { String(validating: $0, as: UTF8.self) }
    }
}

extension Duration {
    /// Whole milliseconds, rounded down; limited to the range of the number.
    var milliseconds: Int64 {
        let (seconds, rest) = (components.seconds, components.attoseconds / 1_000_000_000_000_000)
        let (product, hasOverflow) = seconds.multipliedReportingOverflow(by: 1000)
        return hasOverflow ? (seconds < 0 ? .min : .max) : product &+ rest
    }
}
