import Foundation

/// The records in a request, read with parsers that are not ours.
struct Submission {
    /// One record as received.
    struct Record {
        let id: String
        /// The record as JSON with sorted members, so that equal records are equal texts.
        let canonical: String
        /// Its time in milliseconds since 1970; absent unless it is RFC 3339 with a fraction of three digits.
        let milliseconds: Int64?
    }

    let records: [Record]
    /// What receivers of the format say when they have taken it.
    let acknowledgement: String

    /// Reads an Overland object, a Miataru one, a location of OwnTracks, a top-level array, or the JSON or the parameters of the OsmAnd protocol;
    /// anything else has no records.
    init(_ request: Request) {
        let json = try? JSONSerialization.jsonObject(with: request.body)  // unreadable bodies have no records
        let object = json as? [String: Any]
        if let elements = object?["locations"] as? [Any] ?? object?["MiataruLocation"] as? [Any]
            ?? json as? [Any]
        {
            records = elements.map(Self.record)
        } else if object?["_type"] as? String == "location", let object {
            records = [Self.record(object)]
        } else if let location = object?["location"] {
            records = [Self.record(location)]
        } else {
            records = Self.record(parametersOf: request.target).map { [$0] } ?? []
        }
        acknowledgement =
            object?["_type"] != nil
            ? "[]"
            : object?["MiataruLocation"] ?? object?["MiataruDeleteLocation"] == nil
                ? #"{"result":"ok"}"# : #"{"MiataruResponse":"ACK","MiataruVerboseResponse":"><)))x>"}"#
    }

    /// The record in a query with a position; its id is its time, because the protocol knows no other.
    private static func record(parametersOf target: String) -> Record? {
        let items = URLComponents(string: target)?.queryItems ?? []
        let values = Dictionary(items.map { ($0.name, $0.value ?? "") }) { first, _ in first }
        guard let time = values["timestamp"], values["lat"] != nil, values["lon"] != nil else { return nil }
        return Record(id: time, canonical: record(values).canonical, milliseconds: nil)
    }

    private static func milliseconds(_ text: String) -> Int64? {
        let format = Date.ISO8601FormatStyle(includingFractionalSeconds: true)
        // Another form: a behaviour that needs the time does not apply.
        guard let date = try? Date(text, strategy: format) else { return nil }
        return Int64((date.timeIntervalSince1970 * 1000).rounded())
    }

    private static func record(_ element: Any) -> Record {
        let object = element as? [String: Any] ?? [:]
        let properties = object["properties"] as? [String: Any]
        let id =
            properties?["record_id"] ?? object["_id"] ?? object["id"] ?? object["uuid"] ?? properties?["timestamp"]
            ?? object["Timestamp"]
        // What cannot be written again is shown as an empty object.
        let canonical =
            JSONSerialization.isValidJSONObject(element)
            ? (try? JSONSerialization.data(withJSONObject: element, options: [.sortedKeys])) : nil
        return Record(
            id: id as? String ?? "", canonical: String(decoding: canonical ?? Data("{}".utf8), as: UTF8.self),
            milliseconds: (properties?["timestamp"] as? String).flatMap(milliseconds))
    }
}
