import ArgumentParser
import Glibc
import TrackEngine

/// The outcome of a request that can also be carried out without an agent.
enum ControlOutcome<State> {
    /// The agent's response.
    case agent(JSONValue)
    /// The outcome of work in the state directory, with the reason in a few words.
    case state(State, String)
}

extension ControlOptions {
    /// Sends the request to the agent; if none runs, calls `body` to work in the state directory, which the next
    /// agent reads.
    func answerOrState<State>(
        of request: ControlRequest, part: (JSONValue) async throws -> Void = { _ in },
        _ body: (AgentConfiguration) throws -> State
    ) async throws -> ControlOutcome<State> {
        let configuration = try options.load()
        if let result = try await answer(to: request, configuration, part) { return .agent(result) }
        let state: State
        do { state = try body(configuration) } catch let problem as FileProblem {
            ErrorOutput.write("\(problem)\n")
            throw problem.code == EACCES ? ExitStatus.noPermission : ExitStatus.cannotCreate
        }
        let hasSocket = socket ?? configuration.control.socket != nil
        return .state(
            state,
            hasSocket ? "no agent runs" : "the control socket is switched off, so a running agent is not notified")
    }

    /// The agent's response; `nil` if no agent runs.
    func answer(
        to request: ControlRequest, _ configuration: AgentConfiguration,
        _ part: (JSONValue) async throws -> Void = { _ in }
    ) async throws -> JSONValue? {
        guard let path = socket ?? configuration.control.socket else { return nil }
        return try await Self.reporting {
            do {
                return try await EventLoopThread.with { loop in
                    try await ControlClient(path: path, on: loop).send(
                        request, within: .seconds(20), part: part)
                }
            } catch let error as ControlError where error.code == .unavailable {
                return nil
            }
        }
    }
}
