import TrackEngine
import TrackEngineSettings

/// A followed device in a line: `Anna (family)  2.3 km north-east, 2026-05-01T10:00:00Z, at Home`.
struct FollowedLine: CustomStringConvertible {
    let description: String

    /// - Parameters:
    ///   - known: the status of the device in a running agent; `nil` if it has none.
    ///   - isRunning: whether an agent runs.
    init(_ entry: FollowEntry, known: JSONValue?, isRunning: Bool) {
        let name = entry.group.map { "\(entry.name) (\($0))" } ?? entry.name
        description = "\(name)  \(Self.state(known, isRunning: isRunning))"
    }

    private static func state(_ known: JSONValue?, isRunning: Bool) -> String {
        guard isRunning else { return "no agent runs" }
        guard let known else { return "not asked yet" }
        let failure = known["failure"]?.string
        guard let time = known["time"]?.string else {
            return failure.map { "not known: \($0)" } ?? "no data, expired or not permitted"
        }
        var facts: [String] = []
        if let distance = known["distance"]?.number {
            let direction = known["bearing"]?.number.map { " " + Self.direction($0) } ?? ""
            facts.append((distance < 1000 ? "\(Int(distance)) m" : "\(tenths(distance / 1000)) km") + direction)
        }
        facts.append(time)
        if let place = known["place"]?.string { facts.append("at \(place)") }
        if let failure { facts.append("not known since: \(failure)") }
        return facts.joined(separator: ", ")
    }

    private static func tenths(_ value: Double) -> String {
        let tenths = Int((value * 10).rounded())
        return "\(tenths / 10).\(tenths % 10)"
    }

    /// The nearest of eight directions.
    static func direction(_ bearing: Double) -> String {
        let names = ["north", "north-east", "east", "south-east", "south", "south-west", "west", "north-west"]
        return names[Int((bearing / 45).rounded()) % 8]
    }
}
