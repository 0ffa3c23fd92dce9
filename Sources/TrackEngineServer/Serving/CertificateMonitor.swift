import Logging
import NIOCore
import NIOSSL
import TrackEngine
import TrackEngineSettings

/// Reads certificate and key again when their files have changed: a renewal every few weeks needs no restart.
///
/// The files are checked with each connection. While they do not belong together, as between the writes of the two,
/// the former ones stay.
final class CertificateMonitor: Sendable {
    private struct State: Sendable {
        var signatures: [FileVersion?]
        var override = NIOSSLContextConfigurationOverride.noChanges
    }

    private let configuration: ServerConfiguration
    private let logger: Logger
    private let state: SystemMutex<State>

    /// Watches over the files that have just been read.
    init(_ configuration: ServerConfiguration, _ logger: Logger) {
        self.configuration = configuration
        self.logger = logger
        state = SystemMutex(State(signatures: Self.signatures(configuration)))
    }

    private static func signatures(_ configuration: ServerConfiguration) -> [FileVersion?] {
        [configuration.tls.certificate, configuration.tls.key].map { $0.flatMap(FileVersion.init) }
    }

    /// The callback of a handshake.
    var callback: NIOSSLContextCallback {
        // In a task of its own, and thus on another thread: BoringSSL keeps errors per thread, and a handshake would
        // take such an error for its own.
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
