import ArgumentParser
import TrackEngine
import TrackEngineServer
import TrackEngineSettings

/// `trackd device add|list|remove|link`
struct DeviceCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "device",
        abstract: "Add, list and remove devices that may send to a server of this agent.",
        discussion: """
            A sink of type server receives from phones and other trackers, each with a token of its own. A change takes \
            effect at once, also for an agent that runs.
            """,
        subcommands: [Add.self, List.self, Remove.self, Link.self])

    struct Add: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Let a device send, and print its token and the addresses for its apps.",
            discussion:
                "The token is printed once and not stored; if it is lost, remove the device and add it again.")

        @OptionGroup var choice: ServerChoice

        @Argument(help: "The name under which its points are kept.")
        var name: String

        @Flag(help: "It sends for many devices, each under the name that it gives.")
        var gateway = false

        @Option(help: ArgumentHelp("Also print this app's address as a QR code, for the phone.", valueName: "app"))
        var qr: String?

        func run() async throws {
            let device = DeviceID(rawValue: name)
            let registry = try choice.registry()
            guard try choice.options.loadForRun().device.id != name else {
                throw ExitStatus.configuration.saying(
                    "\(name.quoted(atMost: 64)): expected another name: the agent's own records are kept under this one"
                )
            }
            // Checked before any change.
            let app = try qr.map { try Self.app($0, of: registry) }
            let token = try choice.ask { try $0.admit(device, isGateway: gateway) }
            print("token  \(token.revealed)")
            let addresses = registry.addresses(of: device, token: token)
            for entry in addresses { print("\(entry.app)  \(entry.address.revealed)") }
            if let caution = registry.reachCaution { ErrorOutput.write("note: \(caution)\n") }
            guard let entry = addresses.first(where: { $0.app == app }), let code = QRCode(entry.address.revealed)
            else {
                return
            }
            for line in code.lines(inColours: Terminal.output.usesColour) { print(line) }
        }

        private static func app(_ name: String, of registry: any DeviceRegistry) throws -> String {
            guard !name.isEmpty, let app = registry.apps.first(where: { $0.lowercased().hasPrefix(name.lowercased()) })
            else {
                let names = registry.apps.joined(separator: ", ")
                throw ExitStatus.usage.saying("--qr = \(name.quoted(atMost: 64)): expected one of \(names)")
            }
            return app
        }
    }

    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "List the devices that may send.")

        @OptionGroup var choice: ServerChoice

        func run() async throws {
            try choice.show { $0.senders.map(\.rawValue) }
        }
    }

    struct Remove: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Take the right to send from a device; its points stay.")

        @OptionGroup var choice: ServerChoice

        @Argument(help: "Its name.")
        var name: String

        func run() async throws {
            let (wasThere, senders) = try choice.ask { (try $0.dismiss(DeviceID(rawValue: name)), $0.senders) }
            let near = Suggestion.nearest(to: name, in: senders.map(\.rawValue)).map { "; did you mean \($0)?" }
            try ServerChoice.require(wasThere, name, "the name of a device that may send\(near ?? "")")
        }
    }

    struct Link: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Print a link to the page that can be opened once, within an hour.",
            discussion: """
                The browser that opens it may look for 90 days; trackd viewer lists and ends that. With --edit it may also \
                change places and correct visits and trips; --no-edit revokes that right, except for named viewers. \
                Programs need an address that lasts: --key prints the one with the key in it, and --new-key makes new \
                keys, which ends all access by the old ones.
                """)

        @OptionGroup var choice: ServerChoice

        @Flag(
            inversion: .prefixedNo,
            help: "Let everyone with the address change places and correct visits and trips, or forbid it.")
        var edit: Bool?

        @Flag(help: "Print the address with the key in it, for programs.")
        var key = false

        @Flag(help: "Make new keys first: the old ones give no access any more.")
        var newKey = false

        @Flag(help: "Also print the address as a QR code.")
        var qr = false

        func run() async throws {
            let address = try choice.ask { registry in
                if newKey { try registry.viewing.renewKeys() }
                if edit == false, try registry.forbidEditing() {
                    ErrorOutput.write("only named viewers may edit now\n")
                }
                guard key else {
                    return try registry.viewing.link(of: nil, mayEdit: edit == true, listening: nil)
                }
                return try edit == true
                    ? registry.editingAddress(listening: nil) : registry.readingAddress(listening: nil)
            }
            print(address.revealed)
            guard qr, let code = QRCode(address.revealed) else { return }
            for line in code.lines(inColours: Terminal.output.usesColour) { print(line) }
        }
    }
}
