public import TrackEngine

extension SourceReport: Codable {
    private enum Key: String, CodingKey {
        case id, status, detail, fixes, recorded, events, causes, odometer, rejected, problems, recentProblems, latest
        case lastArrival, isMoving, isStandby, nextRest
    }

    /// Reads a report.
    ///
    /// - Throws: `DecodingError` without `id`, `status` or a count, or if a value has the wrong type.
    public init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: Key.self)
        self.init(id: try members.decode(SourceID.self, forKey: .id))
        status = try SourceStatus(from: decoder)
        fixes = try members.decode(Int.self, forKey: .fixes)
        recorded = try members.decode(Int.self, forKey: .recorded)
        events = try members.decodeIfPresent(Int.self, forKey: .events) ?? 0
        causes = try members.decode(Counts<RecordCause>.self, forKey: .causes).counts
        odometer = try members.decode(Double.self, forKey: .odometer)
        rejected = try members.decode(Counts<RejectionReason>.self, forKey: .rejected).counts
        problems = try members.decode(Counts<SourceProblem.Kind>.self, forKey: .problems).counts
        recentProblems = try members.decode([SourceProblem].self, forKey: .recentProblems)
        latest = try members.decodeIfPresent(Fix.self, forKey: .latest)
        lastArrival = try members.decodeIfPresent(Timestamp.self, forKey: .lastArrival)
        isMoving = try members.decode(Bool.self, forKey: .isMoving)
        isStandby = try members.decode(Bool.self, forKey: .isStandby)
        nextRest = try members.decodeIfPresent(PendingRest.self, forKey: .nextRest)
        context = try RecordContext.decodeIfPresent(from: decoder)
    }

    /// Writes each property under its name, together with the members of ``SourceStatus`` and of the context; `latest`
    /// is a position.
    public func encode(to encoder: any Encoder) throws {
        try status.encode(to: encoder)
        var members = encoder.container(keyedBy: Key.self)
        try members.encode(id, forKey: .id)
        try members.encode(fixes, forKey: .fixes)
        try members.encode(recorded, forKey: .recorded)
        try members.encode(events, forKey: .events)
        try members.encode(Counts(causes), forKey: .causes)
        try members.encode(odometer, forKey: .odometer)
        try members.encode(Counts(rejected), forKey: .rejected)
        try members.encode(Counts(problems), forKey: .problems)
        try members.encode(recentProblems, forKey: .recentProblems)
        try members.encodeIfPresent(latest, forKey: .latest)
        try members.encodeIfPresent(lastArrival, forKey: .lastArrival)
        try members.encode(isMoving, forKey: .isMoving)
        try members.encode(isStandby, forKey: .isStandby)
        try members.encodeIfPresent(nextRest, forKey: .nextRest)
        try context?.encode(to: encoder)
    }
}

extension PendingRest: Codable {
    private enum Key: String, CodingKey { case state, due }

    /// Reads `state` and `due`.
    ///
    /// - Throws: `DecodingError` for a state that is not a state of rest.
    public init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: Key.self)
        guard let state = State(rawValue: try members.decode(String.self, forKey: .state)) else {
            throw DecodingError.dataCorruptedError(
                forKey: .state, in: members, debugDescription: "expected still or standby")
        }
        self.init(state, due: try members.decode(Timestamp.self, forKey: .due))
    }

    /// Writes `state` and `due`.
    public func encode(to encoder: any Encoder) throws {
        var members = encoder.container(keyedBy: Key.self)
        try members.encode(state.rawValue, forKey: .state)
        try members.encode(due, forKey: .due)
    }
}

extension SourceStatus: Codable {
    private enum Key: String, CodingKey { case status, detail }

    /// Reads `status` in one word and, if the source gives it, `detail`.
    ///
    /// - Throws: `DecodingError` for an unknown word.
    public init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: Key.self)
        let detail = try members.decodeIfPresent(String.self, forKey: .detail) ?? ""
        switch try members.decode(String.self, forKey: .status) {
        case "connecting": self = .connecting
        case "waiting": self = .waiting(reason: detail)
        case "receiving": self = .receiving
        case "sleeping": self = .sleeping
        case "unavailable": self = .unavailable(reason: detail)
        case "finished": self = .finished
        default:
            throw DecodingError.dataCorruptedError(
                forKey: .status, in: members,
                debugDescription: "expected connecting, waiting, receiving, sleeping, unavailable or finished")
        }
    }

    /// Writes `status` in one word and, if the source gives it, `detail`.
    public func encode(to encoder: any Encoder) throws {
        var members = encoder.container(keyedBy: Key.self)
        switch self {
        case .connecting: try members.encode("connecting", forKey: .status)
        case .waiting(let detail):
            try members.encode("waiting", forKey: .status)
            try members.encode(detail, forKey: .detail)
        case .receiving: try members.encode("receiving", forKey: .status)
        case .sleeping: try members.encode("sleeping", forKey: .status)
        case .unavailable(let detail):
            try members.encode("unavailable", forKey: .status)
            try members.encode(detail, forKey: .detail)
        case .finished: try members.encode("finished", forKey: .status)
        }
    }
}

extension SourceProblem: Codable {
    private enum Key: String, CodingKey { case kind, line, message }

    /// Reads `kind`, `line` and `message`.
    public init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: Key.self)
        self.init(
            try members.decode(Kind.self, forKey: .kind), line: try members.decodeIfPresent(Int.self, forKey: .line),
            try members.decode(String.self, forKey: .message))
    }

    /// Writes `kind`, `line` and `message`.
    public func encode(to encoder: any Encoder) throws {
        var members = encoder.container(keyedBy: Key.self)
        try members.encode(kind, forKey: .kind)
        try members.encodeIfPresent(line, forKey: .line)
        try members.encode(message, forKey: .message)
    }
}

extension SourceProblem.Kind: Codable, NamedCase {
    var name: String { rawValue }
}

/// Counts by an enumeration's case, encoded as an object whose keys are the cases' words.
private struct Counts<Counted: NamedCase & Hashable>: Codable {
    let counts: [Counted: Int]

    init(_ counts: [Counted: Int]) {
        self.counts = counts
    }

    /// An unknown word, as a newer release may write it, is ignored.
    init(from decoder: any Decoder) throws {
        let named = try [String: Int](from: decoder)
        counts = Dictionary(Counted.cases.compactMap { item in named[item.name].map { (item, $0) } }) { first, _ in
            first
        }
    }

    func encode(to encoder: any Encoder) throws {
        try Dictionary(counts.map { ($0.name, $1) }) { first, _ in first }.encode(to: encoder)
    }
}
