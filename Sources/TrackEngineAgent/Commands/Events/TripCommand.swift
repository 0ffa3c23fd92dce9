import ArgumentParser
import TrackEngine
import TrackEngineSettings

/// `trackd trip start|stop`
struct TripCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "trip",
        abstract: "Begin or end a trip by hand.",
        discussion: "The running agent looks for trips with events.trips or events.visits.",
        subcommands: [Start.self, Stop.self])

    struct Start: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Begin a trip where the object is now.")

        @OptionGroup var control: ControlOptions

        @Option(
            help: ArgumentHelp("How the object travels: \(TripMode.allCases.map(\.name).inWords).", valueName: "mode"),
            transform: CommandArgument.tripMode)
        var mode = TripMode.bicycle

        func run() async throws {
            _ = try await control.withClient { try await $0.send(.trip(mode), within: .seconds(30)) }
            print("a trip has begun, mode \(mode.name)")
        }
    }

    struct Stop: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "End the trip under way where the object is now.")

        @OptionGroup var control: ControlOptions

        func run() async throws {
            let answer = try await control.withClient { try await $0.send(.trip(nil), within: .seconds(30)) }
            print(answer["wasUnderWay"]?.boolean == true ? "the trip has ended" : "there was no trip")
        }
    }
}
