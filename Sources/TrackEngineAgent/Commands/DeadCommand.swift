import ArgumentParser
import TrackEngine

/// `trackd dead list|requeue|drop`
struct DeadCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "dead",
        abstract: "List, requeue and drop records that a receiver rejected.",
        subcommands: [List.self, Requeue.self, Drop.self])

    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "List them: sink, record, time and the reason.")

        @OptionGroup var control: ControlOptions

        @Option(help: "Only those of this sink.")
        var sink: String?

        @Flag(help: "Print a JSON object a line.")
        var json = false

        func run() async throws {
            let request = ControlRequest.listDeadLetters(sink.map(SinkID.init(rawValue:)))
            _ = try await control.withClient { client in
                try await client.send(request) { letter in print(json ? letter.text : Self.line(letter)) }
            }
        }

        private static func line(_ letter: JSONValue) -> String {
            ["sink", "record", "timestamp", "reason"].map { letter[$0]?.string ?? "" }.joined(separator: "  ")
        }
    }

    /// The selection of dead letters. To select all of them, the user must do so explicitly.
    struct Selection: ParsableArguments {
        @Option(help: "Those of this sink.")
        var sink: String?

        @Option(help: "This record.", transform: CommandArgument.recordID)
        var record: RecordID?

        @Flag(help: "All of them.")
        var all = false

        func validate() throws {
            guard all != (sink != nil || record != nil) else {
                throw ValidationError("Choose them: --sink NAME, --record ID, both, or --all.")
            }
        }

        var value: DeadLetterSelection {
            DeadLetterSelection(sink: sink.map(SinkID.init(rawValue:)), record: record)
        }
    }

    struct Requeue: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Put them back in front of their queue.")

        @OptionGroup var control: ControlOptions
        @OptionGroup var selection: Selection

        func run() async throws {
            let answer = try await control.withClient { try await $0.send(.requeueDeadLetters(selection.value)) }
            print("\(Int(answer["count"]?.number ?? 0)) requeued")
        }
    }

    struct Drop: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Drop them for good.")

        @OptionGroup var control: ControlOptions
        @OptionGroup var selection: Selection

        func run() async throws {
            let answer = try await control.withClient { try await $0.send(.dropDeadLetters(selection.value)) }
            print("\(Int(answer["count"]?.number ?? 0)) dropped")
        }
    }
}
