import Logging
import NIOCore
import NIOSSL
import TrackEngine
import TrackEngineSettings

/// Reads certificate and key again when their files have changed: whoever renews them every few weeks restarts nothing.
///
/// It is looked with each connection. Files that do not belong together, as for the moment between two that are written, leave
/// what was before.
final class CertificateWatch: Sendable {
    private struct State: Sendable {
        var signatures: [FileSignature?]
        var override = NIOSSLContextConfigurationOverride.noChanges
    }

    private let configuration: ServerConfiguration
    private let logger: Logger
    private let state: PthreadMutex<State>

    /// Watches over the files that have just been read.
    init(_ configuration: ServerConfiguration, _ logger: Logger) {
        self.configuration = configuration
        self.logger = logger
        state = PthreadMutex(State(signatures: Self.signatures(configuration)))
    }

    private static func signatures(_ configuration: ServerConfiguration) -> [FileSignature?] {
        [configuration.tls.certificate, configuration.tls.key].map { $0.flatMap(FileSignature.init) }
    }

    /// What a handshake asks.
    var callback: NIOSSLContextCallback {
        // On another thread, so a task of its own: BoringSSL keeps for each thread what has gone wrong, and a handshake would take
        // it for its own.
        { _, promise in Task { promise.succeed(self.current) } }
    }

    private var current: NIOSSLContextConfigurationOverride {
        state.withLock { state in
            let signatures = Self.signatures(configuration)
            guard signatures != state.signatures else { return state.override }
            state.signatures = signatures
            do throws(ServerError) {
                if let read = try configuration.makeTLS() {
                    state.override.certificateChain = read.certificateChain
                    state.override.privateKey = read.privateKey
                    logger.info("certificate read again")
                }
            } catch {
                logger.warning("a changed certificate is not used", metadata: ["error": "\(error)"])
            }
            return state.override
        }
    }
}
