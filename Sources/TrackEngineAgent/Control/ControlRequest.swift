package import TrackEngine
import TrackEngineSettings

/// A request to a running agent: one JSON object on a line, `{"version":1,"request":"status"}`.
package enum ControlRequest: Sendable, Hashable {
    /// The status, as JSON, or as lines of text for a screen.
    case status(view: StatusStyle?)
    /// Send all waiting records to every sink now.
    case sync
    /// Pause tracking and sending for a duration, or until resumed.
    case pause(Duration?)
    /// Resume tracking and sending.
    case resume
    /// Remove every stored record and dead letter.
    case clear
    /// The dead letters, of one sink or of all.
    case listDeadLetters(SinkID?)
    /// Put dead letters back at the front of their queue.
    case requeueDeadLetters(DeadLetterSelection)
    /// Drop dead letters permanently.
    case dropDeadLetters(DeadLetterSelection)
    /// The stored records as a document.
    case export(ExportRequest)
    /// Begin a trip with a mode, or end the present one.
    case trip(TripMode?)
    /// The named places as GeoJSON.
    case places
    /// Add a place.
    case addPlace(PlaceAddition)
    /// Remove added places, by their ids.
    case removePlaces([String])
    /// The user's corrections.
    case corrections
    /// Correct a visit or a trip.
    case correct(JSONValue)
    /// The positions of the followed devices, as seen from the object.
    case followed
    /// The remote settings.
    case remote
    /// Clear remote settings: these keys, or all if empty.
    case clearRemote([String])

    /// The version of requests and responses; both sides must have the same.
    package static let version = 1
    /// The longest request, in bytes.
    package static let longestLine = 16_384
}

// MARK: - On the wire

extension ControlRequest {
    private var name: String {
        switch self {
        case .status: "status"
        case .sync: "sync"
        case .pause: "pause"
        case .resume: "resume"
        case .clear: "clear"
        case .listDeadLetters: "dead-list"
        case .requeueDeadLetters: "dead-requeue"
        case .dropDeadLetters: "dead-drop"
        case .export: "export"
        case .trip: "trip"
        case .places: "places"
        case .addPlace: "place-add"
        case .removePlaces: "place-remove"
        case .corrections: "corrections"
        case .correct: "correct"
        case .followed: "followed"
        case .remote: "remote"
        case .clearRemote: "remote-clear"
        }
    }

    /// The request as a line, including its end.
    package var line: [UInt8] {
        let head = [JSONValue.Member("version", .number(Double(Self.version))), .init("request", .string(name))]
        return JSONValue.object(head + details).bytes + [UInt8(ascii: "\n")]
    }

    private var details: [JSONValue.Member] {
        switch self {
        case .status(let view): view.map { [.init("view", $0.json)] } ?? []
        case .pause(let length): length.map { [.init("seconds", .whole($0.components.seconds))] } ?? []
        case .sync, .resume, .clear, .followed, .remote, .places, .corrections: []
        case .addPlace(let place): place.members
        case .removePlaces(let ids): [.init("ids", .array(ids.map { .string($0) }))]
        case .correct(let order): [.init("correction", order)]
        case .clearRemote(let keys): [.init("keys", .array(keys.map { .string($0) }))]
        case .listDeadLetters(let sink): DeadLetterSelection(sink: sink).members
        case .requeueDeadLetters(let selection), .dropDeadLetters(let selection): selection.members
        case .export(let export): export.members
        case .trip(let mode): mode.map { [.init("mode", .string($0.name))] } ?? []
        }
    }

    /// Reads a line without its end.
    ///
    /// - Throws: ``ControlError/Code/malformed`` with the expectation.
    package init(line: [UInt8]) throws(ControlError) {
        let json: JSONValue
        do { json = try JSONValue.parse(line, maximumDepth: 4) } catch { throw .malformed("\(error)") }
        guard json["version"]?.number == Double(Self.version) else {
            throw .malformed("expected \"version\": \(Self.version); this program and the running agent differ")
        }
        switch json["request"]?.string {
        case "status": self = .status(view: try json["view"].map(StatusStyle.init))
        case "sync": self = .sync
        case "pause": self = .pause(try json.pauseLength)
        case "resume": self = .resume
        case "clear": self = .clear
        case "dead-list": self = .listDeadLetters(try DeadLetterSelection(json).sink)
        case "dead-requeue": self = .requeueDeadLetters(try DeadLetterSelection(json))
        case "dead-drop": self = .dropDeadLetters(try DeadLetterSelection(json))
        case "trip": self = .trip(try json.tripMode)
        case "places": self = .places
        case "place-add": self = .addPlace(try PlaceAddition(json))
        case "place-remove": self = .removePlaces(try json.placeIDs)
        case "corrections": self = .corrections
        case "correct": self = .correct(json["correction"] ?? .null)
        case "followed": self = .followed
        case "remote": self = .remote
        case "remote-clear": self = .clearRemote(try json.remoteKeys)
        case "export": self = .export(try ExportRequest(json))
        default: throw .malformed("expected \"request\" to be one that this agent knows")
        }
    }
}

extension ControlError {
    static func malformed(_ message: String) -> ControlError { ControlError(.malformed, message) }
}

extension StatusStyle {
    fileprivate var json: JSONValue {
        .object([.init("columns", .number(Double(columns))), .init("colours", .boolean(usesColour))])
    }

    fileprivate init(_ json: JSONValue) throws(ControlError) {
        guard let columns = json["columns"]?.number, (20...1000).contains(columns),
            let colours = json["colours"]?.boolean
        else { throw .malformed("expected a view of 20 to 1000 columns, with or without colours") }
        self.init(columns: Int(columns), usesColour: colours)
    }
}

extension DeadLetterSelection {
    fileprivate var members: [JSONValue.Member] {
        var members: [JSONValue.Member] = []
        if let sink { members.append(.init("sink", .string(sink.rawValue))) }
        if let record { members.append(.init("record", .string(record.description))) }
        return members
    }

    fileprivate init(_ json: JSONValue) throws(ControlError) {
        let sink = try json.text("sink").map(SinkID.init(rawValue:))
        let record = try json.text("record").map { text throws(ControlError) in
            guard let record = RecordID(text) else { throw ControlError.malformed("expected \"record\" to be a UUID") }
            return record
        }
        self.init(sink: sink, record: record)
    }
}

extension JSONValue {
    /// The length of a pause; absent if it lasts until it is resumed.
    fileprivate var pauseLength: Duration? {
        get throws(ControlError) {
            guard let value = self["seconds"] else { return nil }
            guard let seconds = value.number, (0...1e9).contains(seconds),
                SavedPause.lengths.contains(.seconds(Int64(seconds)))
            else { throw .malformed("expected \"seconds\" to be \(SavedPause.lengthExpectation)") }
            return .seconds(Int64(seconds))
        }
    }

    /// Keys of the configuration; empty for all remote settings.
    fileprivate var remoteKeys: [String] {
        get throws(ControlError) {
            let keys = self["keys"]?.array?.map(\.string) ?? [nil]
            guard !keys.contains(nil) else { throw .malformed("expected \"keys\" to be an array of strings") }
            return keys.compactMap(\.self)
        }
    }

    /// Ids of places; empty for all added places.
    fileprivate var placeIDs: [String] {
        get throws(ControlError) {
            let ids = self["ids"]?.array?.map(\.string) ?? [nil]
            guard !ids.contains(nil) else { throw .malformed("expected \"ids\" to be an array of strings") }
            return ids.compactMap(\.self)
        }
    }

    /// The mode of a trip that begins; absent for a trip that ends.
    fileprivate var tripMode: TripMode? {
        get throws(ControlError) {
            guard let text = try text("mode") else { return nil }
            guard let mode = TripMode(name: text) else {
                throw .malformed("expected \"mode\" to be one of \(TripMode.allCases.map(\.name).inWords)")
            }
            return mode
        }
    }

    /// A member that is a string, or absent.
    func text(_ name: String) throws(ControlError) -> String? {
        guard let value = self[name] else { return nil }
        guard let text = value.string else { throw .malformed("expected \"\(name)\" to be a string") }
        return text
    }
}
