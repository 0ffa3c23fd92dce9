/// Members of objects, and arrays. A name is written with its punctuation: the comma or brace before it, its quotes and
/// its colon.
extension JSONWriter {
    /// Writes a member with a number, if there is a value.
    @inlinable
    package mutating func member(_ name: StaticString, _ value: Double?, decimals: Int = 3) {
        guard let value else { return }
        raw(name)
        number(value, decimals: decimals)
    }

    /// Writes a member with a whole number, if there is a value.
    @inlinable
    package mutating func member(_ name: StaticString, _ value: (some BinaryInteger)?) {
        guard let value else { return }
        raw(name)
        integer(value)
    }

    /// Writes a member with a string, if there is a value.
    package mutating func member(_ name: StaticString, _ value: String?) {
        guard let value else { return }
        raw(name)
        string(value)
    }

    /// Writes a member with `true` or `false`, if there is a value.
    package mutating func member(_ name: StaticString, _ value: Bool?) {
        guard let value else { return }
        raw(name)
        boolean(value)
    }

    /// Writes a member with a time, if there is a value.
    package mutating func member(
        _ name: StaticString, _ value: Timestamp?, _ precision: Timestamp.Precision = .milliseconds
    ) {
        guard let value else { return }
        raw(name)
        time(value, precision)
    }

    /// Writes an array, each element with a function.
    package mutating func array<Element>(
        _ elements: some Sequence<Element>, _ write: (inout JSONWriter, Element) -> Void
    ) {
        raw("[")
        for (index, element) in elements.enumerated() {
            if index > 0 { raw(",") }
            write(&self, element)
        }
        raw("]")
    }

    /// Writes the members `latitude` and `longitude`.
    package mutating func position(_ coordinate: Coordinate) {
        member(#","latitude":"#, coordinate.latitude, decimals: 9)
        member(#","longitude":"#, coordinate.longitude, decimals: 9)
    }
}
