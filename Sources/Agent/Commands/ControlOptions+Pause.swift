import ArgumentParser
import TrackEngine

/// Who has carried out a request about a pause.
enum PauseAnswer {
    /// The agent, with its answer.
    case agent(JSONValue)
    /// Nobody: it was kept for the next agent. Why, in a few words.
    case kept(String)
}

extension ControlOptions {
    /// Asks the agent; where none runs, changes the file that the next one reads.
    func withPauseFile(_ request: ControlRequest, _ change: (PauseFile) throws -> Void) async throws -> PauseAnswer {
        let answer = try await answerOrState(of: request) { try change(PauseFile(in: $0.store.path)) }
        switch answer {
        case .agent(let result): return .agent(result)
        case .state(_, let why):
            // One that has started meanwhile may have read the file before.
            if let result = try await self.answer(to: request, try options.load()) { return .agent(result) }
            return .kept(why)
        }
    }
}
