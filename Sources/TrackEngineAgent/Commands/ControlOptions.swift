import ArgumentParser
import TrackEngine

/// The agent that a command sends requests to.
struct ControlOptions: ParsableArguments {
    @OptionGroup var options: ConfigurationOptions

    @Option(
        help: ArgumentHelp("The agent's control socket; by default the one of the configuration.", valueName: "path"))
    var socket: String?

    /// Calls `body` with a client of the agent, and converts errors into a message and an exit status.
    func withClient<Result>(_ body: (ControlClient) async throws -> Result) async throws -> Result {
        let path = try socketPath()
        return try await Self.reporting {
            try await EventLoopThread.with { try await body(ControlClient(path: path, on: $0)) }
        }
    }

    /// Converts errors between a command and an agent into a message and an exit status.
    static func reporting<Result>(_ body: () async throws -> Result) async throws -> Result {
        do { return try await body() } catch let error as ControlError {
            ErrorOutput.write("\(error)\n")
            throw error.exitStatus
        } catch let error as SystemError {
            ErrorOutput.write("\(error)\n")
            throw ExitCode.failure
        }
    }

    private func socketPath() throws -> String {
        if let socket { return socket }
        if let path = try options.load().control.socket { return path }
        throw ExitStatus.unavailable.saying("the configuration switches the control socket off (control.socket)")
    }
}

extension ControlError {
    var exitStatus: ExitCode {
        switch code {
        case .unavailable: ExitStatus.unavailable
        case .forbidden: ExitStatus.noPermission
        case .busy: ExitStatus.temporaryFailure
        case .unknown: ExitStatus.usage
        case .malformed, .failed: .failure
        }
    }
}
