import Logging
import TrackEngine
import TrackEngineSettings

/// Reading stored records, from a running agent or from its store.
extension ControlOptions {
    /// Requests the records from the agent, or opens the store if no agent responds.
    func export(_ request: ExportRequest, to output: ([UInt8]) async throws -> Void) async throws {
        try await withClient { client in
            do {
                _ = try await client.send(.export(request), within: .seconds(60)) { part in
                    guard let text = part.string else {
                        throw ControlError(.malformed, "the agent's answer is no text")
                    }
                    try await output(Array(text.utf8))
                }
            } catch let error as ControlError where error.code == .unavailable {
                try await exportFromStore(request, to: output)
            }
        }
    }

    private func exportFromStore(
        _ request: ExportRequest, to output: ([UInt8]) async throws -> Void
    ) async throws {
        let configuration = try options.load().store
        guard configuration.mayHoldRecords else {
            throw ExitStatus.noInput.saying("no agent runs here, and there is no store in \(configuration.path)")
        }
        let store = try await open(configuration)
        do {
            let last = try await store.status().lastSequence
            let export = TrackExport(request, upTo: last) { try await store.records(after: $0, limit: $1) }
            try await export.run(output)
            await store.close()
        } catch {
            await store.close()
            throw error
        }
    }

    private func open(_ configuration: StoreConfiguration) async throws -> any FixStore {
        do throws(StoreError) {
            let logger = Logger(label: Agent.current.name) { _ in SwiftLogNoOpLogHandler() }
            let secrets = AgentSecretReader(SecretReader(environment: ProcessEnvironment.current))
            return try await configuration.kind.openStore(in: configuration.path, secrets: secrets, logger: logger)
        } catch {
            ErrorOutput.write("cannot open the store: \(error)\n")
            throw error.exitStatus
        }
    }
}
