import TrackEngine
import TrackEngineAgent

extension FuzzTarget {
    /// A configuration file.
    static let configuration = FuzzTarget(name: "configuration") { bytes in
        let loader = ConfigurationReader(options: [], environment: [:], stateDirectory: "/state")
        do throws(AgentConfigurationError) {
            _ = try loader.decode(.init(name: "trackd.yaml", bytes: bytes, isPrivate: true))
        } catch {
            precondition(!error.problems.isEmpty, "refused without a reason")
        }
    }

    /// A line that a program sends to the control socket; what is understood is written and understood as the same.
    static let controlRequest = FuzzTarget(name: "control-request") { bytes in
        guard bytes.count <= ControlRequest.longestLine, let request = try? ControlRequest(line: bytes) else {
            return  // malformed lines are answered with an error
        }
        let line = request.line
        precondition(line.last == UInt8(ascii: "\n") && line.count { $0 == UInt8(ascii: "\n") } == 1, "not one line")
        let again = try? ControlRequest(line: Array(line.dropLast()))
        precondition(again == request, "written: \(request), read again: \(String(describing: again))")
    }

    /// A line that an agent answers over the control socket.
    static let controlAnswer = FuzzTarget(name: "control-answer") { bytes in
        guard bytes.count <= ControlReplyLine.longestLine else { return }
        _ = try? ControlReplyLine(line: bytes)  // malformed lines end the command with an error
    }
}
