import ArgumentParser
import TrackEngine

/// `trackd sync`
struct SyncCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "sync",
        abstract: "Send all records to every sink now, regardless of threshold and back-off.",
        discussion: """
            It returns when each sink has no records left or has failed. The exit status is 1 if records are left, 69 if no \
            agent runs.
            """)

    @OptionGroup var control: ControlOptions

    func run() async throws {
        // However long the sync takes, the agent sends a sign every ten seconds.
        let answer = try await control.withClient { try await $0.send(.sync, within: .seconds(60)) }
        var isComplete = true
        for sink in answer["sinks"]?.array ?? [] {
            let queued = Int(sink["queued"]?.number ?? 0)
            let failure = sink["failure"]?.string.map { ": \($0)" } ?? ""
            print("\(sink["id"]?.string ?? "?"): \(queued == 0 ? "everything sent" : "\(queued) left\(failure)")")
            if queued > 0 { isComplete = false }
        }
        if !isComplete { throw ExitCode.failure }
    }
}
