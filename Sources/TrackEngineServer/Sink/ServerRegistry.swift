package import TrackEngine
package import TrackEngineSettings

/// The list of a server's devices, for commands that change it.
struct ServerRegistry: DeviceRegistry {
    let access: AccessFile
    private let configuration: ServerConfiguration

    /// Opens the list in a server's directory, making both if need be.
    init(directory: String, _ configuration: ServerConfiguration, key: StoreKey?) throws(DeviceRegistryError) {
        self.configuration = configuration
        do throws(PrivateFileError) { try PrivateFile.makeDirectory(directory) } catch {
            throw DeviceRegistryError(error.description)
        }
        do throws(ServerError) { access = try AccessFile(path: directory + "/" + AccessFile.name, key: key) } catch {
            throw DeviceRegistryError(error.description)
        }
    }

    var senders: [DeviceID] { access.senders }

    func admit(_ device: DeviceID, isGateway: Bool) throws(DeviceRegistryError) -> Secret {
        let token = try changing { () throws(ServerError) in try access.add(device, isGateway: isGateway) }
        access.audit.note("a token of \(isGateway ? "the gateway " : "")\(device) was made", by: Self.command)
        return token.secret
    }

    func dismiss(_ device: DeviceID) throws(DeviceRegistryError) -> Bool {
        let wasThere = try changing { () throws(ServerError) in try access.remove(device) }
        if wasThere { access.audit.note("the token of \(device) was removed", by: Self.command) }
        return wasThere
    }

    /// The author that the audit log gives for commands.
    static let command = "a command"

    /// Changes the list, with the error that commands show.
    func changing<Result>(_ body: () throws(ServerError) -> Result) throws(DeviceRegistryError) -> Result {
        do throws(ServerError) { return try body() } catch { throw DeviceRegistryError(error.description) }
    }

    var viewing: any ViewerRegistry { self }

    func addresses(of device: DeviceID, token: Secret) -> [DeviceAddress] {
        let behind = "\(base)/t/\(token.revealed)"
        let setup =
            "overland://setup?url=\(PercentEncoding.encoded("\(base)/api/overland"))&token=\(token.revealed)"
            + "&device_id=\(PercentEncoding.encoded(device.rawValue))"
        return [
            DeviceAddress("Overland", Secret(setup)),
            DeviceAddress("OwnTracks (HTTP)", Secret("\(behind)/pub")),
            DeviceAddress("Trace", Secret(behind)),
            DeviceAddress("CalmGeo", Secret("\(behind)/calmgeo")),
            DeviceAddress("Traccar Client", Secret("\(behind)/osmand")),
            DeviceAddress(
                "GPSLogger",
                Secret(
                    "\(behind)/log?lat=%LAT&lon=%LON&timestamp=%TIMESTAMP&acc=%ACC&alt=%ALT&spd=%SPD&dir=%DIR&batt=%BATT"
                        + "&sat=%SAT&act=%ACT")),
            DeviceAddress(
                "OsmAnd",
                Secret(
                    "\(behind)/log?lat={0}&lon={1}&timestamp={2}&acc={3}&alt={4}&spd={5}&dir={6}")),
            DeviceAddress("Dawarich", Secret("\(base)/api/v1/points?api_key=\(token.revealed)")),
            DeviceAddress("ulogger", Secret(behind)),
            DeviceAddress("Miataru", Secret(behind)),
        ]
    }

    var apps: [String] { addresses(of: "", token: Secret("")).map(\.app) }

    func readingAddress(listening: String?) -> Secret {
        address("key", access.readingKey, listening: listening)
    }

    func editingAddress(listening: String?) throws(DeviceRegistryError) -> Secret {
        let key = try changing { () throws(ServerError) in try access.allowEditing() }
        return address("key", key, listening: listening)
    }

    func forbidEditing() throws(DeviceRegistryError) -> Bool {
        let wasAllowed = try changing { () throws(ServerError) in try access.forbidEditing() }
        if wasAllowed { access.audit.note("the key for editing was taken away", by: Self.command) }
        return wasAllowed
    }

    func address(_ parameter: String, _ token: AccessToken, listening: String?) -> Secret {
        let place = configuration.names.isEmpty ? listening : nil
        return Secret("\(place ?? base + "/")?\(parameter)=\(token.secret.revealed)")
    }

    var reachCaution: String? {
        if configuration.port == 0 { return "the port is chosen at each start; with the key 'port' it stays" }
        guard configuration.names.isEmpty, configuration.host.isLoopbackHost else { return nil }
        return "these addresses are reached from this machine only; see the keys 'host', 'names' and 'tls'"
    }

    /// The address under which other machines reach the server: a name of its own, else the address that it listens
    /// on. A proxy in front of it has TLS, with the usual port.
    private var base: String {
        if let name = configuration.names.first, !configuration.trustedProxies.isEmpty { return "https://\(name)" }
        let scheme = configuration.tls.certificate == nil ? "http" : "https"
        let host = configuration.names.first ?? configuration.addressForOthers
        return "\(scheme)://\(host.contains(":") ? "[\(host)]" : host):\(configuration.port)"
    }
}

extension ServerSettings: RegistrySettings {
    package func deviceRegistry(encryptedUnder key: StoreKey?) throws(DeviceRegistryError) -> any DeviceRegistry {
        try ServerRegistry(directory: directory, server, key: key)
    }
}
