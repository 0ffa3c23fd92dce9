import TrackEngine
import trackd

extension FuzzTarget {
    /// A configuration file.
    static let configuration = FuzzTarget(name: "configuration") { bytes in
        let loader = ConfigurationLoader(options: [], environment: [:], stateDirectory: "/state")
        do throws(AgentConfigurationError) {
            _ = try loader.decode(.init(name: "trackd.yaml", bytes: bytes, isPrivate: true))
        } catch {
            precondition(!error.problems.isEmpty, "refused without a reason")
        }
    }

    /// A line that a program sends to the control socket; what is understood is written and understood again.
    static let controlRequest = FuzzTarget(name: "control-request") { bytes in
        guard bytes.count <= ControlRequest.longestLine else { return }
        _ = try? ControlRequest(line: bytes)  // malformed lines are answered with an error
    }

    /// A line that an agent answers over the control socket.
    static let controlAnswer = FuzzTarget(name: "control-answer") { bytes in
        guard bytes.count <= ControlAnswer.longestLine else { return }
        _ = try? ControlAnswer(line: bytes)  // malformed lines end the command with an error
    }
}
