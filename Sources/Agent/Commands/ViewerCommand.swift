import ArgumentParser
import TrackEngine
import TrackEngineSettings

/// `trackd viewer add|list|link|remove|end|audit`
struct ViewerCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "viewer",
        abstract: "Look after the people who may look at the page of a server of this agent.",
        discussion: """
            A viewer has a name and rights: to look or to edit, and the devices that are seen. A link that can be opened once, \
            within a week, lets a browser in for 90 days. What is changed here holds at once, also for an agent that runs.
            """,
        subcommands: [Add.self, List.self, Link.self, Remove.self, End.self, Audit.self])

    /// The options that all subcommands need.
    struct Choice: ParsableArguments {
        @OptionGroup var options: ConfigurationOptions
        @OptionGroup var server: ServerChoice

        func registry() throws -> any ViewerRegistry { try server.registry(options).viewing }
    }

    struct Add: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Add a viewer, and print the first link.")

        @OptionGroup var choice: Choice

        @Argument(help: "The viewer's name.")
        var name: String

        @Flag(help: "The viewer may change places, correct visits and trips, and delete points.")
        var edit = false

        @Option(name: .customLong("device"), help: "A device that the viewer sees; without any, all of them.")
        var devices: [String] = []

        func run() async throws {
            let registry = try choice.registry()
            let link = try ServerChoice.reporting { () throws(DeviceRegistryError) in
                let shown = devices.isEmpty ? nil : devices.map(DeviceID.init(rawValue:))
                try registry.admitViewer(name, mayEdit: edit, devices: shown)
                return try registry.link(of: name, mayEdit: edit, listening: nil)
            }
            print(link.revealed)
        }
    }

    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "List the viewers, and the sessions that last.")

        @OptionGroup var choice: Choice

        func run() async throws {
            let registry = try choice.registry()
            for viewer in registry.viewers { print(viewer) }
            for session in registry.sessions { print("session \(session)") }
        }
    }

    struct Link: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Print another link of a viewer.")

        @OptionGroup var choice: Choice

        @Argument(help: "The viewer's name.")
        var name: String

        func run() async throws {
            let registry = try choice.registry()
            let link = try ServerChoice.reporting { () throws(DeviceRegistryError) in
                try registry.link(of: name, mayEdit: false, listening: nil)
            }
            print(link.revealed)
        }
    }

    struct Remove: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Remove a viewer, whose links and sessions end.")

        @OptionGroup var choice: Choice

        @Argument(help: "The viewer's name.")
        var name: String

        func run() async throws {
            let registry = try choice.registry()
            let wasThere = try ServerChoice.reporting { () throws(DeviceRegistryError) in
                try registry.dismissViewer(name)
            }
            guard !wasThere else { return }
            StandardError.write("\(name.quoted(atMost: 64)): expected the name of a viewer\n")
            throw ExitStatus.usage
        }
    }

    struct End: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "End a session, or all.")

        @OptionGroup var choice: Choice

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
            let registry = try choice.registry()
            let count = try ServerChoice.reporting { () throws(DeviceRegistryError) in
                try registry.endSessions(session)
            }
            guard count == 0, let session else { return }
            StandardError.write("\(session.quoted(atMost: 64)): expected the id of a session\n")
            throw ExitStatus.usage
        }
    }

    struct Audit: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract:
                "Print what was done with rights: edits, deletions, sessions, new tokens, and keys that were none.")

        @OptionGroup var choice: Choice

        func run() async throws {
            for line in try choice.registry().audit { print(line) }
        }
    }
}
