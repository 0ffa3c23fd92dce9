/// Members of records that several formats share. A name is written with its comma, quotes and colon.
extension JSONWriter {
    /// Writes a member with a number, if there is a value.
    @inlinable
    package mutating func member(_ name: StaticString, _ value: Double?, decimals: Int = 3) {
        guard let value else { return }
        raw(name)
        number(value, decimals: decimals)
    }

    /// Writes a member with a time in milliseconds, if there is a value.
    package mutating func member(_ name: StaticString, _ value: Timestamp?) {
        guard let value else { return }
        raw(name)
        time(value, .milliseconds)
    }

    /// Writes the members `latitude` and `longitude`.
    package mutating func position(_ coordinate: Coordinate) {
        raw(#","latitude":"#)
        number(coordinate.latitude, decimals: 9)
        raw(#","longitude":"#)
        number(coordinate.longitude, decimals: 9)
    }
}
