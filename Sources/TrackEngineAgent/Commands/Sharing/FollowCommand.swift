import ArgumentParser
import TrackEngine
import TrackEngineSettings

/// `trackd follow add|list|remove`
struct FollowCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "follow",
        abstract: "Add, list and remove devices that this agent follows.",
        discussion: """
            A source of type miataru asks a server for the places of devices that their owners share. Changes take effect \
            with the next request, also in a running agent.
            """,
        subcommands: [Add.self, List.self, Remove.self])

    struct Add: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Follow a device.")

        @OptionGroup var options: ConfigurationOptions
        @OptionGroup var choice: FollowChoice

        @Argument(help: "Its link, such as miataru://ID, or its id.")
        var link: String

        @Option(help: "Its name here; by default the beginning of its id.")
        var name: String?

        @Option(help: "The group that it belongs to.")
        var group: String?

        func run() async throws {
            let list = try choice.list(options)
            let entry = try FollowChoice.reporting { () throws(FollowListError) in
                try list.add(Secret(link), name: name, group: group)
            }
            print("\(entry.name) is followed")
        }
    }

    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "List the devices, and where they are as far as a running agent knows.")

        @OptionGroup var control: ControlOptions
        @OptionGroup var choice: FollowChoice

        func run() async throws {
            let list = try choice.list(control.options)
            let entries = try FollowChoice.reporting { () throws(FollowListError) in try list.entries() }
            let known = await control.followedDevices()
            for entry in entries { print(FollowedLine(entry, known: known?[entry.name], isRunning: known != nil)) }
        }
    }

    struct Remove: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Follow a device no more; its track stays.")

        @OptionGroup var options: ConfigurationOptions
        @OptionGroup var choice: FollowChoice

        @Argument(help: "Its name here.")
        var name: String

        func run() async throws {
            let list = try choice.list(options)
            let wasThere = try FollowChoice.reporting { () throws(FollowListError) in try list.remove(name) }
            guard !wasThere else { return }
            let names = ((try? list.entries()) ?? []).map(\.name)
            let near = Suggestion.nearest(to: name, in: names).map { "; did you mean \($0)?" } ?? ""
            throw ExitStatus.usage.saying(
                "\(name.quoted(atMost: 64)): expected the name of a device that is followed\(near)")
        }
    }
}

/// The source of the configuration that a command is about.
struct FollowChoice: ParsableArguments {
    @Option(help: "The source's name, where the configuration has several that follow.")
    var source: String?

    /// The devices that it follows.
    func list(_ options: ConfigurationOptions) throws -> any FollowList {
        try PluginChoice(configuration: options.loadForRun()).followList(of: source)
    }

    /// Prints the expectation and ends the command.
    static func reporting<Result>(_ body: () throws(FollowListError) -> Result) throws -> Result {
        do throws(FollowListError) { return try body() } catch {
            throw ExitStatus.usage.saying("\(error)")
        }
    }
}

extension ControlOptions {
    /// The status of the followed devices, by name; `nil` if no agent runs.
    fileprivate func followedDevices() async -> [String: JSONValue]? {
        guard let path = try? options.load().control.socket,
            let answer = try? await EventLoopThread.with({
                try await ControlClient(path: path, on: $0).send(.followed, within: .seconds(10))
            })
        else { return nil }
        var devices: [String: JSONValue] = [:]
        for device in answer["devices"]?.array ?? [] {
            if let name = device["name"]?.string { devices[name] = device }
        }
        return devices
    }
}
