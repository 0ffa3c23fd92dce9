import ArgumentParser
import TrackEngine
import TrackEngineSettings

/// `trackd viewer add|list|link|remove|end|audit`
struct ViewerCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "viewer",
        abstract: "Add, list and remove viewers of a server's page, and their links.",
        discussion: """
            A viewer has a name and rights: to look or to edit, and the devices that are seen. A link that can be opened once, \
            within a week, lets a browser in for 90 days. A change takes effect at once, also for an agent that runs.
            """,
        subcommands: [Add.self, List.self, Link.self, Remove.self, End.self, Audit.self])

    struct Add: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Add a viewer, and print the first link.")

        @OptionGroup var choice: ServerChoice

        @Argument(help: "The viewer's name.")
        var name: String

        @Flag(help: "The viewer may change places, correct visits and trips, and delete points.")
        var edit = false

        @Option(name: .customLong("device"), help: "A device that the viewer sees; without any, all of them.")
        var devices: [String] = []

        func run() async throws {
            let shown = devices.isEmpty ? nil : devices.map(DeviceID.init(rawValue:))
            try choice.show { registry in
                try registry.viewing.admitViewer(name, mayEdit: edit, devices: shown)
                return [try registry.viewing.link(of: name, mayEdit: edit, listening: nil).revealed]
            }
        }
    }

    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "List the viewers, and the sessions that last.")

        @OptionGroup var choice: ServerChoice

        func run() async throws {
            try choice.show { $0.viewing.viewers + $0.viewing.sessions.map { "session \($0)" } }
        }
    }

    struct Link: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Print another link of a viewer.")

        @OptionGroup var choice: ServerChoice

        @Argument(help: "The viewer's name.")
        var name: String

        func run() async throws {
            try choice.show { [try $0.viewing.link(of: name, mayEdit: false, listening: nil).revealed] }
        }
    }

    struct Remove: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Remove a viewer, and end the viewer's links and sessions.")

        @OptionGroup var choice: ServerChoice

        @Argument(help: "The viewer's name.")
        var name: String

        func run() async throws {
            let wasThere = try choice.ask { try $0.viewing.dismissViewer(name) }
            try ServerChoice.require(wasThere, name, "the name of a viewer")
        }
    }

    struct End: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "End a session, or all.")

        @OptionGroup var choice: ServerChoice

        @Argument(help: "The id of the session, as list shows it.")
        var session: String?

        @Flag(help: "End all sessions.")
        var all = false

        func validate() throws {
            guard all == (session == nil), session != "" else {
                throw ValidationError("expected the id of a session, or --all")
            }
        }

        func run() async throws {
            let count = try choice.ask { try $0.viewing.endSessions(session) }
            if let session { try ServerChoice.require(count > 0, session, "the id of a session") }
        }
    }

    struct Audit: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract:
                "Print the audit log: edits, deletions, sessions, new tokens, and invalid keys.")

        @OptionGroup var choice: ServerChoice

        func run() async throws {
            try choice.show { try $0.viewing.audit }
        }
    }
}
