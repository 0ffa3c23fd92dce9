/// Writes the state that a detector saves for a restart: numbers in little-endian order, texts with their length before
/// them.
package struct StateWriter {
    /// The bytes written so far.
    package private(set) var bytes: [UInt8] = []

    package init() {}

    package mutating func write(_ number: some FixedWidthInteger) {
        withUnsafeBytes(of: number.littleEndian) { bytes.append(contentsOf: $0) }
    }

    package mutating func write(_ number: Double) { write(number.bitPattern) }

    package mutating func write(_ time: Timestamp) { write(time.nanosecondsSince1970) }

    package mutating func write(_ coordinate: Coordinate) {
        write(coordinate.latitude)
        write(coordinate.longitude)
    }

    /// Writes at most 65 535 bytes of a text.
    package mutating func write(_ text: String) {
        let utf8 = text.utf8.prefix(Int(UInt16.max))
        write(UInt16(utf8.count))
        bytes.append(contentsOf: utf8)
    }

    package mutating func write(_ bytes: [UInt8]) { self.bytes.append(contentsOf: bytes) }

    /// Writes whether there is a value; the caller writes the value itself after it.
    package mutating func write(isPresent: Bool) { write(UInt8(isPresent ? 1 : 0)) }

    /// Writes whether there is a time, and the time.
    package mutating func write(optional time: Timestamp?) {
        write(isPresent: time != nil)
        if let time { write(time) }
    }
}

/// Reads bytes written by ``StateWriter``; each call returns `nil` if the bytes end too early.
package struct StateReader {
    private var rest: ArraySlice<UInt8>

    package init(_ bytes: some Collection<UInt8>) { rest = Array(bytes)[...] }

    /// Whether all bytes have been read.
    package var isAtEnd: Bool { rest.isEmpty }

    package mutating func number<Number: FixedWidthInteger>(_ type: Number.Type = Number.self) -> Number? {
        let size = Number.bitWidth / 8
        guard rest.count >= size else { return nil }
        defer { rest = rest.dropFirst(size) }
        return rest.prefix(size).reversed().reduce(0) { ($0 << 8) | Number(truncatingIfNeeded: $1) }
    }

    package mutating func double() -> Double? { number(UInt64.self).map(Double.init(bitPattern:)) }

    package mutating func time() -> Timestamp? {
        number(Int64.self).map(Timestamp.init(nanosecondsSince1970:))
    }

    package mutating func coordinate() -> Coordinate? {
        guard let latitude = double(), let longitude = double() else { return nil }
        return Coordinate(latitude: latitude, longitude: longitude)
    }

    package mutating func text() -> String? {
        guard let count = number(UInt16.self), rest.count >= Int(count) else { return nil }
        defer { rest = rest.dropFirst(Int(count)) }
        return String(validating: rest.prefix(Int(count)), as: UTF8.self)
    }

    package mutating func validCoordinate() -> Coordinate? { coordinate().flatMap { $0.isValid ? $0 : nil } }

    /// Reads an optional value: `.some(nil)` if it is marked as absent, `nil` if it cannot be read.
    package mutating func optional<Value>(_ read: (inout StateReader) -> Value?) -> Value?? {
        switch isPresent() {
        case nil: nil
        case false?: .some(nil)
        case true?: read(&self).map { .some($0) }
        }
    }

    /// Returns all remaining bytes.
    package mutating func remaining() -> [UInt8] {
        defer { rest = [] }
        return Array(rest)
    }

    /// Returns the next `count` bytes.
    package mutating func bytes(_ count: Int) -> [UInt8]? {
        guard count >= 0, rest.count >= count else { return nil }
        defer { rest = rest.dropFirst(count) }
        return Array(rest.prefix(count))
    }

    package mutating func isPresent() -> Bool? {
        switch number(UInt8.self) {
        case 0: false
        case 1: true
        default: nil
        }
    }
}

extension Fix {
    /// The part of a fix that is saved for a restart.
    package var saved: Fix {
        Fix(
            time: time, coordinate: coordinate, altitude: altitude, horizontalAccuracy: horizontalAccuracy,
            verticalAccuracy: verticalAccuracy, speed: speed, speedAccuracy: speedAccuracy, course: course)
    }

    /// Writes the values of ``saved``.
    package func write(to writer: inout StateWriter) {
        writer.write(time)
        writer.write(coordinate)
        let numbers = [altitude, horizontalAccuracy, verticalAccuracy, speed, speedAccuracy, course]
        for number in numbers { writer.write(number ?? .nan) }
    }

    package init?(from reader: inout StateReader) {
        guard let time = reader.time(), let coordinate = reader.validCoordinate(), let altitude = reader.double(),
            let accuracy = reader.double(), let verticalAccuracy = reader.double(), let speed = reader.double(),
            let speedAccuracy = reader.double(), let course = reader.double()
        else { return nil }
        // A fix drops values that are not numbers.
        self.init(
            time: time, coordinate: coordinate, altitude: altitude, horizontalAccuracy: accuracy,
            verticalAccuracy: verticalAccuracy, speed: speed, speedAccuracy: speedAccuracy, course: course)
    }
}
