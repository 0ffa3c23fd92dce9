import ArgumentParser
import TrackEngine
import TrackEngineServer
import TrackEngineSettings

/// `trackd miataru id|qr|key|allow|visitors|slogan|delete|status`
struct MiataruCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "miataru",
        abstract: "Show and change the id under which a sink of type miataru shares the position.",
        subcommands: [
            ID.self, QR.self, Key.self, Allow.self, Visitors.self, Slogan.self, Delete.self, Status.self,
        ])

    struct ID: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "id", abstract: "Print the id, made on first use; anyone with the id can ask for the place.")

        @OptionGroup var choice: AccountChoice

        @Option(name: .customLong("import"), help: ArgumentHelp("Take over this id.", valueName: "id"))
        var imported: String?

        @Flag(help: "Make a new id, not known to others yet. It asks, unless --yes is given.")
        var reset = false

        @Flag(help: "With --reset: do not ask.")
        var yes = false

        func validate() throws {
            if reset, imported != nil { throw ValidationError("expected --import or --reset, not both") }
            if yes, !reset { throw ValidationError("expected --yes with --reset") }
        }

        func run() async throws {
            if let imported { try await choice.perform(.adopt(Secret(imported))) }
            if reset {
                if !yes {
                    try AccountChoice.confirm(
                        "The old id and its key are forgotten here: the server's data of the old id can no longer be "
                            + "deleted, as `miataru delete` does now. Make a new id? [y/N] ",
                        otherwise: "the id is unchanged")
                }
                try await choice.perform(.reset)
            }
            print(try await choice.identity().id.revealed)
        }
    }

    struct QR: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "qr", abstract: "Print the link that others scan to follow this device.")

        @OptionGroup var choice: AccountChoice

        func run() async throws {
            let link = try await choice.identity().link.revealed
            print(link)
            for line in QRCode(link)?.lines(inColours: Terminal.output.usesColour) ?? [] { print(line) }
        }
    }

    struct Key: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Make the server demand a key for writing under the id.",
            discussion:
                "The key is kept before it is sent. A server never forgets a key: after its loss a new id is needed.",
            subcommands: [Set.self, Rotate.self])

        struct Set: AsyncParsableCommand {
            static let configuration = CommandConfiguration(abstract: "Set a key, by default one of chance.")

            @OptionGroup var choice: AccountChoice

            @Option(
                name: .customLong("from-file"), help: ArgumentHelp("Take the key from this file.", valueName: "file"))
            var file: String?

            func run() async throws { try await choice.perform(.setKey(try file.map(AccountChoice.secret(in:)))) }
        }

        struct Rotate: AsyncParsableCommand {
            static let configuration = CommandConfiguration(abstract: "Replace the key by one of chance.")

            @OptionGroup var choice: AccountChoice

            func run() async throws { try await choice.perform(.setKey(nil)) }
        }
    }

    struct Allow: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Show or change the list of devices that may see the place.",
            discussion: "As long as it is empty, anyone with the id may. The own id is always on it.",
            subcommands: [Add.self, Remove.self, List.self, Clear.self])

        struct Add: AsyncParsableCommand {
            static let configuration = CommandConfiguration(abstract: "Let a device see the place.")

            @OptionGroup var choice: AccountChoice

            @Argument(help: "The id or link of the device.")
            var id: String

            @Flag(help: "The history, too.")
            var history = false

            func run() async throws { try await choice.perform(.allow(id: Secret(id), history: history)) }
        }

        struct Remove: AsyncParsableCommand {
            static let configuration = CommandConfiguration(abstract: "Remove the access of a device.")

            @OptionGroup var choice: AccountChoice

            @Argument(help: "The id or link of the device.")
            var id: String

            func run() async throws { try await choice.perform(.disallow(id: Secret(id))) }
        }

        struct Clear: AsyncParsableCommand {
            static let configuration = CommandConfiguration(
                abstract: "Remove the list: anyone with the id may see the place again.")

            @OptionGroup var choice: AccountChoice

            func run() async throws { try await choice.perform(.allowEverybody) }
        }

        struct List: AsyncParsableCommand {
            static let configuration = CommandConfiguration(abstract: "List the devices that may see the place.")

            @OptionGroup var choice: AccountChoice

            func run() async throws { try await choice.perform(.listAllowed) }
        }
    }

    struct Visitors: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "List the devices that have asked for the place, and when.")

        @OptionGroup var choice: AccountChoice

        func run() async throws { try await choice.perform(.visitors) }
    }

    struct Slogan: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Print or set the slogan shown with the place, at most 40 characters.")

        @OptionGroup var choice: AccountChoice

        @Argument(help: "The slogan; without one it is printed.")
        var text: String?

        func run() async throws { try await choice.perform(.slogan(text)) }
    }

    struct Delete: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Have the server delete the place, its history and its visitors.",
            discussion: "It asks twice, unless --yes is given twice.")

        @OptionGroup var choice: AccountChoice

        @Flag(help: "Do not ask; to be given twice.")
        var yes: Int

        func run() async throws {
            if yes < 2 {
                try AccountChoice.confirm("Have the server delete its data of this device? [y/N] ")
                try AccountChoice.confirm("It cannot be brought back. Delete it? [y/N] ")
            }
            try await choice.perform(.delete)
        }
    }

    struct Status: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Print the status of the id at the server.")

        @OptionGroup var choice: AccountChoice

        func run() async throws { try await choice.perform(.status) }
    }
}
