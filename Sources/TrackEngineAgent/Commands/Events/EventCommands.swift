import ArgumentParser
import TrackEngine

/// `trackd trips`
struct TripListCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "trips",
        abstract: "List the stored trips, with their ends and figures, and correct them.",
        discussion: """
            Times are UTC. Trips are found with events.trips, or begun with "trip start"; those that every sink has been \
            given are kept for store.keepSyncedDays.

            Corrections stay when trips are found again later; records that receivers already have do not change.
            """,
        subcommands: [
            ListEvents<TripSubject>.self, SetTripMode.self, EventRejectionCommand<TripSubject>.self,
            MergeEvents<TripSubject>.self, SplitEvent<TripSubject>.self, UndoCorrection<TripSubject>.self,
        ], defaultSubcommand: ListEvents<TripSubject>.self)
}

/// `trackd visits`
struct VisitListCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "visits",
        abstract: "List the stored visits: where the object has stayed, and how long; and correct them.",
        discussion: """
            Times are UTC. Visits are found with events.visits.

            Corrections stay when visits are found again later; records that receivers already have do not change.
            """,
        subcommands: [
            ListEvents<VisitSubject>.self, VisitNameCommand.self, EventRejectionCommand<VisitSubject>.self,
            MergeEvents<VisitSubject>.self, SplitEvent<VisitSubject>.self, UndoCorrection<VisitSubject>.self,
        ], defaultSubcommand: ListEvents<VisitSubject>.self)
}

/// `trackd trips list`, which is `trackd trips`
struct ListEvents<Subject: EventSubject>: AsyncParsableCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "list",
            abstract: "List the \(Subject.kind.name)s, one a line, with the beginning of their ids.")
    }

    /// The message if there are no events. It explains why an event that a page has just shown is missing.
    private static var nothing: String {
        "no \(Subject.kind.name)s are stored; those that every sink has are kept for store.keepSyncedDays days"
    }

    @OptionGroup var events: StoredEvents

    @Flag(help: "Print each as a line of JSON, with the members of the documented event message.")
    var json = false

    func run() async throws {
        let shown = Subject.events(of: try await events.load())
        if shown.isEmpty, !json { print(Self.nothing) }
        for event in shown {
            guard json else {
                print(Subject.line(event))
                continue
            }
            var writer = JSONWriter()
            EventMembers.write(Subject.content(event), to: &writer)
            print("{" + String(decoding: writer.bytes.dropFirst(), as: UTF8.self) + "}")
        }
    }
}
