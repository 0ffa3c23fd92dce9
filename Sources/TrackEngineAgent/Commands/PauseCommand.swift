import ArgumentParser
import TrackEngine
import TrackEngineSettings

/// `trackd pause [2h]`
struct PauseCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "pause",
        abstract: "Stop tracking and sending for a while.",
        discussion: """
            The pause survives a restart. Records from before it wait, and are sent afterwards. If no agent runs, the \
            next one begins paused.
            """)

    @OptionGroup var control: ControlOptions

    @Argument(
        help: ArgumentHelp(
            "How long, \(SavedPause.lengthExpectation); without it until \"resume\".", valueName: "duration"),
        transform: Self.length)
    var length: Duration?

    func run() async throws {
        let answer = try await control.withPauseFile(.pause(length)) { file in
            try file.write(SavedPause(from: .now(), for: length))
        }
        let end = length.map { "for \(Self.words($0))" } ?? "until it is resumed"
        switch answer {
        case .agent(let pause):
            print(
                "paused \(pause["until"]?.string.map { "until \($0)" } ?? "until it is resumed"): no tracking or sending"
            )
        case .kept(let why): print("\(why); one that starts is paused \(end)")
        }
    }

    /// `2 hours`: in the largest unit that gives a whole number.
    private static func words(_ length: Duration) -> String {
        let minutes = length.components.seconds / 60
        let (count, unit) =
            minutes % 1440 == 0
            ? (minutes / 1440, "day") : minutes % 60 == 0 ? (minutes / 60, "hour") : (minutes, "minute")
        return "\(count) \(unit)\(count == 1 ? "" : "s")"
    }

    private static func length(_ text: String) throws -> Duration {
        guard let length = DurationArgument(argument: text)?.duration, SavedPause.lengths.contains(length) else {
            throw ValidationError("expected \(SavedPause.lengthExpectation), not \(text.quoted(atMost: 40))")
        }
        return .seconds(length.components.seconds)
    }
}

/// `trackd resume`
struct ResumeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "resume",
        abstract: "End a pause: track and send again.",
        discussion: "Records from before the pause are sent. The way since then is in no track and in no odometer.")

    @OptionGroup var control: ControlOptions

    func run() async throws {
        let answer = try await control.withPauseFile(.resume) { file in
            guard file.read() != .none else { return }
            var pause = SavedPause(from: .now(), for: nil)
            if case .pause(let kept) = file.read() { pause = kept }
            pause.isEnded = true  // not removed: the next agent must begin a new leg
            try file.write(pause)
        }
        switch answer {
        case .agent(let result): print(result["wasPaused"]?.boolean == true ? "resumed" : "there was no pause")
        case .kept(let why): print("\(why); one that starts is not paused")
        }
    }
}
