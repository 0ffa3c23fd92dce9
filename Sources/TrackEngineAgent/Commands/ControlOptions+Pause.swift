import ArgumentParser
import TrackEngine

/// The outcome of a request about a pause.
enum PauseOutcome {
    /// The agent's response.
    case agent(JSONValue)
    /// The change was saved for the next agent, with the reason in a few words.
    case kept(String)
}

extension ControlOptions {
    /// Sends the request to the agent; if none runs, changes the file that the next one reads.
    func withPauseFile(_ request: ControlRequest, _ change: (PauseFile) throws -> Void) async throws -> PauseOutcome {
        let answer = try await answerOrState(of: request) { try change(PauseFile(in: $0.store.path)) }
        switch answer {
        case .agent(let result): return .agent(result)
        case .state(_, let why):
            // An agent that has started in the meantime may have read the file before the change.
            if let result = try await self.answer(to: request, try options.load()) { return .agent(result) }
            return .kept(why)
        }
    }
}
