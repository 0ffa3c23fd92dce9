import ArgumentParser
import TrackEngine
import TrackEnginePlaces
import TrackEngineSettings

/// The event that a command corrects.
struct EventSelection<Subject: EventSubject>: ParsableArguments {
    @OptionGroup var events: StoredEvents

    @Argument(help: "Its id as listed: at least its first four digits.")
    var id: String

    /// Corrects the event, and prints the result.
    ///
    /// - Parameter change: makes the change, from all events of the kind.
    func correct(_ change: ([Subject.Event]) throws -> Correction.Change) async throws {
        let known = try await events.load()
        let all = Subject.events(of: known)
        let event = try Self.find(id, in: all)
        let span = Subject.span(of: event)
        let correction = Correction(kind: Subject.kind, id: event.id, from: span.from, to: span.to, try change(all))
        if let problem = correction.problem {
            throw ExitStatus.usage.saying("\(problem)")
        }
        try await take(.correct(correction), correction.json)
        let before = Dictionary(all.map { ($0.id, Subject.line($0)) }) { first, _ in first }
        let now = try await events.load()
        let changed = Subject.events(of: now).filter { before[$0.id] != Subject.line($0) }
        // An event that has not changed is shown as it is.
        for event in changed.isEmpty ? Subject.events(of: now).filter({ $0.id == event.id }) : changed {
            print(Subject.line(event))
        }
        for line in Self.gone(from: known, to: now) { print("with it goes \(line)") }
        if case .reject = correction.change { print("rejected; \"undo \(event.id)\" takes that back") }
    }

    /// Events of the other kind that are no longer shown: those between two events that are one now.
    private static func gone(
        from known: (visits: [Visit], trips: [Trip]), to now: (visits: [Visit], trips: [Trip])
    ) -> [String] {
        func gone<Other: EventSubject>(_ other: Other.Type) -> [String] {
            let left = Set(Other.events(of: now).map(\.id))
            return Other.events(of: known).filter { !left.contains($0.id) }.map {
                "the \(Other.kind.name) \(Other.line($0))"
            }
        }
        return Subject.kind == .visit ? gone(TripSubject.self) : gone(VisitSubject.self)
    }

    /// Reverts all corrections of the event.
    func undo() async throws {
        let all = Subject.events(of: try await events.load())
        let event =
            if let whole = RecordID(id) {
                EventID(rawValue: whole.rawValue)
            } else if let corrected = try await corrected() {
                corrected
            } else {
                try Self.find(id, in: all).id
            }
        let json = JSONValue.members(
            ("kind", .string(Subject.kind.name)), ("id", .string(event.description)),
            ("change", .members(("undo", .boolean(true)))))
        try await take(.undo(Subject.kind, event), json)
        let found = Subject.events(of: try await events.load()).first { $0.id == event }
        print(found.map(Subject.line) ?? "taken back")
    }

    /// The one corrected event with an id that begins with the given text. Rejected events are in no list.
    private func corrected() async throws -> EventID? {
        let corrections = try await events.book().corrections.filter { $0.kind == Subject.kind }
        let ids = Set(corrections.map(\.id)).filter { Self.isMeant($0, by: id) }
        return ids.count == 1 ? ids.first : nil
    }

    private func take(_ order: Correction.Order, _ json: JSONValue) async throws {
        _ = try await events.control.answerOrState(of: .correct(json)) { configuration in
            try ControlOptions.reporting { try CorrectionFile(of: configuration).take(order) }
        }
    }

    /// Whether an id begins with a text of at least four characters.
    private static func isMeant(_ event: EventID, by mark: String) -> Bool {
        mark.count >= 4 && event.description.hasPrefix(mark.uppercased())
    }

    /// The one event with an id that begins with a text.
    static func find(_ id: String, in events: [Subject.Event]) throws -> Subject.Event {
        let found = events.filter { isMeant($0.id, by: id) }
        guard let event = found.first, found.count == 1 else {
            let count = found.isEmpty ? "no \(Subject.kind.name)" : "\(found.count) \(Subject.kind.name)s"
            throw ExitStatus.usage.saying(
                "\(id.quoted(atMost: 40)) is the id of \(count): expected that of one, as \(Subject.kind.name)s are listed"
            )
        }
        return event
    }
}
