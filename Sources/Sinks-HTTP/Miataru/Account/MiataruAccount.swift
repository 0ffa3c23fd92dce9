import TrackEngine
import TrackEngineSettings

/// An id at a Miataru server: its key, its list of viewers, its visitors, and the deletion of its data.
struct MiataruAccount: SharingAccount {
    let server: MiataruServer
    let keeper: IdentityReader
    /// The sink that the id belongs to.
    let name: SinkID
    /// The state that the sink keeps across restarts.
    let mark: SharingMarkFile

    init(_ name: SinkID, _ server: MiataruServer, _ keeper: IdentityReader, _ mark: SharingMarkFile) {
        self.name = name
        self.mark = mark
        self.server = server
        self.keeper = keeper
    }

    func identity() async throws(SharingError) -> SharingIdentity {
        let identity = try await ownIdentity()
        return SharingIdentity(
            id: identity.deviceID, link: MiataruLink.link(to: identity.deviceID), hasKey: identity.deviceKey != nil)
    }

    func perform(_ request: SharingRequest) async throws(SharingError) -> SharingOutcome {
        switch request {
        case .adopt(let id): try adopt(id)
        case .reset: try reset()
        case .setKey(let key): try await setKey(key)
        case .allow(let id, let history): try await allow(id, history: history)
        case .disallow(let id): try await disallow(id)
        case .allowEverybody: try await allowEverybody()
        case .listAllowed: try await listAllowed()
        case .visitors: try await visitors()
        case .slogan(let slogan): try await self.slogan(slogan)
        case .delete: try await delete()
        case .status: try await status()
        }
    }

    func close() async { await server.close() }

    // MARK: Parts shared by all requests

    func ownIdentity() async throws(SharingError) -> MiataruIdentity {
        do throws(DeliveryError) { return try await keeper.identity() } catch { throw SharingError(error.reason) }
    }

    /// Makes a call as the own device, or with a pending new key if the server has that already.
    func call(
        _ name: String, _ request: @Sendable (MiataruIdentity) -> JSONValue
    ) async throws(SharingError) -> JSONValue {
        do throws(DeliveryError) { return try await server.call(name, as: keeper, request) } catch {
            throw SharingError(error.reason)
        }
    }

    /// Checks that the server has acknowledged the request.
    ///
    /// - Throws: the server's reply, if it is another one.
    func requireAcknowledgement(_ reply: JSONValue) throws(SharingError) {
        guard reply["MiataruResponse"]?.string == "ACK" else {
            throw SharingError("an unexpected reply of the server, expected MiataruResponse ACK")
        }
    }

    /// The file in which the agent keeps the identity.
    ///
    /// - Throws: if the configuration sets the identity, so the agent cannot change it.
    func file(toChange what: String) throws(SharingError) -> IdentityFile {
        guard case .file(let file) = keeper else {
            throw SharingError("expected no deviceID in the configuration: the \(what) is set there")
        }
        return file
    }

    @discardableResult
    func changing<Result>(_ body: () throws(PrivateFileError) -> Result) throws(SharingError) -> Result {
        do throws(PrivateFileError) { return try body() } catch { throw SharingError(error.description) }
    }
}

extension DeliveryError {
    /// Whether the server does not accept the key.
    var isAboutKey: Bool { recovery == .needsOperator && reason.hasPrefix("HTTP 403") }
}
