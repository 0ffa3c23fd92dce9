import ArgumentParser
import TrackEngine

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

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
        let configuration = try options.load()
        let file = PauseFile(in: configuration.store.path)
        if let result = try await answer(to: request, configuration) { return .agent(result) }
        do { try change(file) } catch let problem as FileProblem {
            StandardError.write("\(problem)\n")
            throw problem.code == EACCES ? ExitStatus.noPermission : ExitStatus.cannotCreate
        }
        // One that has started meanwhile may have read the file before.
        if let result = try await answer(to: request, configuration) { return .agent(result) }
        let hasSocket = socket ?? configuration.control.socket != nil
        return .kept(hasSocket ? "no agent runs" : "the control socket is switched off, so a running agent is not told")
    }

    /// `nil` where no agent runs.
    func answer(to request: ControlRequest, _ configuration: AgentConfiguration) async throws -> JSONValue? {
        guard let path = socket ?? configuration.control.socket else { return nil }
        return try await Self.reporting {
            do {
                return try await EventLoopThread.with { loop in
                    try await ControlClient(path: path, on: loop).send(request, within: .seconds(20))
                }
            } catch let error as ControlError where error.code == .unavailable {
                return nil
            }
        }
    }
}
