import TrackEngine

/// A reader's request: a device and a stretch of time.
struct ReadingQuery: Sendable, Hashable {
    let device: DeviceID
    let times: Range<Timestamp>

    /// The reason why a question cannot be answered, with the expected value.
    struct Malformed: Error, Sendable, Hashable, CustomStringConvertible {
        /// The parameter and its expected value.
        let description: String

        init(_ name: String, _ expectation: String) { description = "\(name): expected \(expectation)" }
    }

    /// Reads `device`, `from` and `to`.
    init(_ parameters: ParameterList) throws(Malformed) {
        device = try Self.device(parameters)
        let begin = try Self.time("from", parameters)
        let end = try Self.time("to", parameters)
        guard begin <= end else { throw Malformed("to", "a time that is not before from") }
        times = begin..<end
    }

    /// Reads `device`.
    static func device(_ parameters: ParameterList) throws(Malformed) -> DeviceID {
        guard let name = parameters["device"], name.utf8.count <= 64 else {
            throw Malformed("device", "the name of a device")
        }
        return DeviceID(rawValue: name)
    }

    /// Reads a moment: seconds since 1970, or RFC 3339.
    static func time(_ name: String, _ parameters: ParameterList) throws(Malformed) -> Timestamp {
        guard let text = parameters[name] else { throw Malformed(name, expectation) }
        return try time(name, text)
    }

    /// Reads a moment, the value of a parameter.
    static func time(_ name: String, _ text: some StringProtocol) throws(Malformed) -> Timestamp {
        if let time = Timestamp(rfc3339: text) { return time }
        guard text.utf8.count <= 20, let seconds = Double(text), abs(seconds) < 9e9 else {
            throw Malformed(name, expectation)
        }
        return Timestamp(nanosecondsSince1970: Int64((seconds * 1000).rounded()) * 1_000_000)
    }

    /// Reads a number within bounds.
    static func number(
        _ name: String, _ parameters: ParameterList, in bounds: ClosedRange<Double>, otherwise value: Double
    ) throws(Malformed) -> Double {
        guard let text = parameters[name] else { return value }
        guard text.utf8.count <= 20, let number = Double(text), bounds.contains(number) else {
            throw Malformed(name, "a number from \(bounds.lowerBound) to \(bounds.upperBound)")
        }
        return number
    }

    private static let expectation = "seconds since 1970, or a time such as 2026-03-01T10:00:00Z"
}
