import ArgumentParser
import TrackEngine
import TrackEngineFormats

/// The stored events of some kinds, read as the lines that `export --kind` writes.
struct StoredEvents: ParsableArguments {
    @OptionGroup var control: ControlOptions

    @Option(
        help: ArgumentHelp("No event before this time or day.", valueName: "time"), transform: CommandArgument.time)
    var from: Timestamp?

    @Option(
        help: ArgumentHelp("No event at or after this time or day.", valueName: "time"),
        transform: CommandArgument.time)
    var to: Timestamp?

    @Flag(help: "Print each event's record as a line of JSON.")
    var json = false

    /// Prints the events, one line each; of several records of one event the last.
    ///
    /// - Parameters:
    ///   - kind: which events.
    ///   - nothing: what is said where there are none.
    ///   - line: the line of an event, made of the JSON under its kind's name.
    func print(_ kind: RecordKind, orElse nothing: String, _ line: (JSONValue) -> String?) async throws {
        var text: [UInt8] = []
        let request = ExportRequest(format: .ndjson, from: from, to: to, kinds: RecordKinds(kind))
        try await control.export(request) { text += $0 }
        let lines = text.split(separator: UInt8(ascii: "\n"))
        guard !json else {
            for line in lines { Swift.print(String(decoding: line, as: UTF8.self)) }
            return
        }
        var order: [String] = []
        var newest: [String: JSONValue] = [:]
        for line in lines {
            guard let event = JSONValue(ifReadable: Array(line), maximumDepth: 8)?[kind.name],
                let id = event["id"]?.string
            else { continue }
            if newest.updateValue(event, forKey: id) == nil { order.append(id) }
        }
        let shown = order.compactMap { newest[$0] }.compactMap(line)
        if shown.isEmpty { Swift.print(nothing) }
        for line in shown { Swift.print(line) }
    }
}

/// Words for the figures of events.
enum EventWords {
    /// `2026-03-01 10:00:30`, in UTC.
    static func time(_ text: String?) -> String {
        guard let time = text.flatMap({ Timestamp(rfc3339: $0) }) else { return "?" }
        let whole = time.rfc3339(.seconds)
        return "\(whole.prefix(10)) \(whole.dropFirst(11).prefix(8))"
    }

    /// `1 h 05 min`, from one moment to another; `so far` while there is no end.
    static func span(_ from: String?, _ to: String?) -> String {
        guard let from = from.flatMap({ Timestamp(rfc3339: $0) }), let to = to.flatMap({ Timestamp(rfc3339: $0) })
        else { return "so far" }
        let minutes = Int(to.duration(since: from) / .seconds(60))
        let rest = minutes % 60
        return minutes < 60 ? "\(minutes) min" : "\(minutes / 60) h \(rest < 10 ? "0" : "")\(rest) min"
    }

    /// `12.3 km`
    static func kilometres(_ metres: Double?) -> String {
        guard let metres else { return "?" }
        var bytes: [UInt8] = []
        bytes.appendFixed(metres / 1000, decimals: 1)
        return String(decoding: bytes, as: UTF8.self) + " km"
    }
}
