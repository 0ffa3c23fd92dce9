import TrackEngine
import TrackEngineSettings

/// The reason why an agent could not start.
package enum AgentStartError: Error, Sendable, CustomStringConvertible {
    /// The configuration cannot be used.
    case configuration(AgentConfigurationError)
    /// The configuration does not match the files on the disk, and waiting does not help: the store has another key.
    case unusable(String)
    /// Another process holds a resource that this one needs.
    case taken(String)
    /// Any other failure.
    case failed(String)

    /// The message for the user, one line per problem.
    package var description: String {
        switch self {
        case .configuration(let error): error.description
        case .unusable(let message), .taken(let message), .failed(let message): message
        }
    }

    /// The start error that corresponds to a store error.
    init(store error: StoreError) {
        self =
            switch error.code {
            case .locked: .taken(error.message)
            case .wrongKey: .unusable("cannot open the store: \(error)")
            case _: .failed("cannot open the store: \(error)")
            }
    }
}

extension AgentConfigurationError {
    /// Problems found by the engine or a plugin, with the places where their values were given.
    init(_ error: ConfigurationError, _ places: ConfigurationOriginTable) {
        self.init(error.problems.map { ReportedProblem(places.origin(of: $0.key), $0) })
    }
}
