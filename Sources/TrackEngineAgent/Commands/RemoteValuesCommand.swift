import ArgumentParser
import TrackEngine
import TrackEngineSettings

/// `trackd remote show|clear`
struct RemoteValuesCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "remote",
        abstract: "Show or revert remote settings.",
        discussion: """
            Values set with setConfiguration override the configuration file. They are saved in remote.json of the state directory.
            """,
        subcommands: [Show.self, Clear.self])

    struct Show: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "List the keys, their values, since when they hold, and until when they are on trial.")

        @OptionGroup var control: ControlOptions

        @Flag(help: "Print a JSON object.")
        var json = false

        func run() async throws {
            let answer = try await control.answerOrState(of: .remote) { _ in try control.options.loadForRun().remote }
            switch answer {
            case .agent(let shown):
                if json {
                    print((shown["json"] ?? .object([])).text)
                } else {
                    Self.show(shown["lines"]?.array?.compactMap(\.string) ?? [])
                }
            case .state(let standing, _):
                if json { print((standing.json ?? .object([])).text) } else { Self.show(standing.lines) }
            }
        }

        private static func show(_ lines: [String]) {
            for line in lines.isEmpty ? ["there are no remote settings"] : lines { print(line) }
        }
    }

    struct Clear: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Revert remote settings to the values of the configuration.",
            discussion: """
                A running agent applies it at once. If no agent runs, the next one begins without the values. The exit status \
                is 64 for a key without a remote setting.
                """)

        @OptionGroup var control: ControlOptions

        @Argument(
            help: ArgumentHelp("The keys, such as tracking.distanceFilter; without one all of them.", valueName: "key"))
        var keys: [String] = []

        func run() async throws {
            let answer = try await control.answerOrState(of: .clearRemote(keys)) { try clear(in: $0.store.path) }
            switch answer {
            case .agent(let result):
                print(Self.words((result["keys"]?.array ?? []).compactMap(\.string)))
                guard result["applied"]?.boolean != true else { return }
                print("the running agent has not applied the configuration yet; its log has the reason")
            case .state(let keys, let why): print("\(Self.words(keys)); \(why)")
            }
        }

        /// Clears values without an agent. A change that an agent left on trial is undone.
        private func clear(in directory: String) throws -> [String] {
            let file = RemoteFile(in: directory)
            let (kept, warning) = try file.readForChange()
            if let warning { ErrorOutput.write("\(warning)\n") }
            let cleared: [String]
            do throws(RemoteRejection) { cleared = try kept.keysToClear(keys) } catch {
                throw ExitStatus.usage.saying("\(error)")
            }
            if !cleared.isEmpty { try file.write(kept.cleared(of: Set(cleared)).undone) }
            return cleared
        }

        private static func words(_ keys: [String]) -> String {
            keys.isEmpty ? "there were no remote settings" : "taken back: \(keys.joined(separator: ", "))"
        }
    }
}
