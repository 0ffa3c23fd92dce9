package import TrackEngine

/// Corrections as JSON.
extension Correction.Order {
    /// Reads an order:
    /// `{"kind": "visit", "id": UUID, "from": RFC 3339, "to": RFC 3339, "change": {"rename": "Grandma"}}`.
    ///
    /// - Throws: `CorrectionProblem` with the expected form.
    public init(_ json: [UInt8]) throws(CorrectionProblem) {
        guard json.count <= 65_536, let value = JSONValue(ifReadable: json, maximumDepth: 4) else {
            throw CorrectionProblem("expected a JSON object of at most 65536 bytes")
        }
        self = try value.order
        if case .correct(let correction) = self, let problem = correction.problem { throw problem }
    }
}

extension CorrectionLog {
    /// The book as a JSON object, one correction per line.
    public var json: [UInt8] {
        var writer = JSONWriter()
        writer.raw(#"{"corrections":["#)
        for (index, correction) in corrections.enumerated() {
            writer.raw(index == 0 ? "\n" : ",\n")
            correction.json.write(to: &writer)
        }
        writer.raw("\n]}\n")
        return writer.bytes
    }

    /// Reads a book.
    ///
    /// - Throws: `CorrectionProblem` with the expected form and the number of the correction.
    public init(json: [UInt8]) throws(CorrectionProblem) {
        guard let value = JSONValue(ifReadable: json, maximumDepth: 6), let list = value["corrections"]?.array else {
            throw CorrectionProblem("expected a JSON object with \"corrections\"")
        }
        self.init()
        for (index, element) in list.enumerated() {
            do throws(CorrectionProblem) {
                guard case .correct(let correction) = try element.order else { continue }
                try restore(correction)
            } catch {
                throw CorrectionProblem("correction \(index + 1): \(error)")
            }
        }
    }
}

extension Correction {
    /// The correction as an order in JSON.
    package var json: JSONValue {
        var members: [JSONValue.Member] = [
            .init("kind", .string(kind.name)), .init("id", .string(id.description)), .init("from", from.exact),
        ]
        if let to { members.append(.init("to", to.exact)) }
        members.append(.init("change", .object(change.members)))
        return .object(members)
    }
}

extension Correction.Change {
    fileprivate var members: [JSONValue.Member] {
        switch self {
        case .rename(let name): [.init("rename", .string(name))]
        case .mode(let mode): [.init("mode", .string(mode.name))]
        case .reject: [.init("reject", .boolean(true))]
        case .merge(let last): [.init("merge", last.exact)]
        case .split(let time, let point):
            [.init("split", time.exact)]
                + (point.map {
                    [
                        .init("latitude", .number($0.coordinate.latitude)),
                        .init("longitude", .number($0.coordinate.longitude)), .init("distance", .number($0.distance)),
                    ]
                } ?? [])
        }
    }
}

extension Timestamp {
    fileprivate var exact: JSONValue { .string(rfc3339(.nanoseconds)) }
}

extension JSONValue {
    fileprivate var order: Correction.Order {
        get throws(CorrectionProblem) {
            guard let kind = self["kind"]?.string.flatMap(RecordKind.init(name:)), [.visit, .trip].contains(kind) else {
                throw CorrectionProblem("expected \"kind\" to be visit or trip")
            }
            guard let id = self["id"]?.string.flatMap(RecordID.init) else {
                throw CorrectionProblem("expected \"id\" to be a UUID")
            }
            guard let change = self["change"] else { throw CorrectionProblem("expected a \"change\"") }
            let event = EventID(rawValue: id.rawValue)
            if change["undo"]?.boolean == true { return .undo(kind, event) }
            guard let from = self["from"]?.time else { throw CorrectionProblem("expected \"from\" to be a time") }
            let to = self["to"].flatMap { $0 == .null ? nil : $0 }
            if let to, to.time.map({ $0 > from }) != true {
                throw CorrectionProblem("expected \"to\" to be a time after \"from\"")
            }
            return .correct(
                Correction(kind: kind, id: event, from: from, to: to?.time, try change.change(of: kind, from)))
        }
    }

    private func change(of kind: RecordKind, _ from: Timestamp) throws(CorrectionProblem) -> Correction.Change {
        if let name = self["rename"], kind == .visit {
            guard let name = name.string, (1...256).contains(name.utf8.count),
                name.unicodeScalars.allSatisfy({ $0.value >= 0x20 && !(0x7f...0x9f).contains($0.value) })
            else { throw CorrectionProblem("expected \"rename\" to be 1 to 256 bytes without control characters") }
            return .rename(name)
        }
        if let mode = self["mode"], kind == .trip {
            guard let mode = mode.string.flatMap(TripMode.init(name:)) else {
                throw CorrectionProblem(
                    "expected \"mode\" to be one of \(TripMode.allCases.map(\.name).joined(separator: ", "))")
            }
            return .mode(mode)
        }
        if self["reject"]?.boolean == true { return .reject }
        if let last = self["merge"] {
            guard let last = last.time, last > from else {
                throw CorrectionProblem("expected \"merge\" to be the time at which a later one begins")
            }
            return .merge(upTo: last)
        }
        if let time = self["split"] {
            guard let time = time.time, time > from else {
                throw CorrectionProblem("expected \"split\" to be a time after \"from\"")
            }
            return .split(at: time, kind == .trip ? splitPoint : nil)
        }
        throw CorrectionProblem(
            "expected a change of a \(kind.name): \(kind == .visit ? "rename" : "mode"), reject, merge, split or undo")
    }

    private var splitPoint: Correction.SplitPoint? {
        guard let coordinate, let distance = self["distance"]?.number, distance >= 0 else { return nil }
        return Correction.SplitPoint(coordinate: coordinate, distance: distance)
    }

    private var time: Timestamp? { string.flatMap { Timestamp(rfc3339: $0) } }
}
