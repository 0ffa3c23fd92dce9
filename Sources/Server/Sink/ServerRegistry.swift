import SenderFormats
package import TrackEngine
package import TrackEngineSettings

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// The list of a server's devices, for a person who changes it.
struct ServerRegistry: DeviceRegistry {
    private let access: AccessFile
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
        do throws(ServerError) { return try access.add(device, isGateway: isGateway).secret } catch {
            throw DeviceRegistryError(error.description)
        }
    }

    func dismiss(_ device: DeviceID) throws(DeviceRegistryError) -> Bool {
        do throws(ServerError) { return try access.remove(device) } catch {
            throw DeviceRegistryError(error.description)
        }
    }

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
        address(with: access.readingKey, listening: listening)
    }

    func editingAddress(listening: String?) throws(DeviceRegistryError) -> Secret {
        do throws(ServerError) { return address(with: try access.allowEditing(), listening: listening) } catch {
            throw DeviceRegistryError(error.description)
        }
    }

    func forbidEditing() throws(DeviceRegistryError) -> Bool {
        do throws(ServerError) { return try access.forbidEditing() } catch {
            throw DeviceRegistryError(error.description)
        }
    }

    private func address(with key: AccessToken, listening: String?) -> Secret {
        let place = configuration.names.isEmpty ? listening : nil
        return Secret("\(place ?? base + "/")?key=\(key.secret.revealed)")
    }

    var reachCaution: String? {
        if configuration.port == 0 { return "the port is chosen at each start; with the key 'port' it stays" }
        guard configuration.names.isEmpty, configuration.host.isLoopbackHost else { return nil }
        return "these addresses are reached from this machine only; see the keys 'host', 'names' and 'tls'"
    }

    /// The address by which others know the server: a name of its own, else what it listens on. A proxy in front of it has TLS,
    /// and the port that is usual for that.
    private var base: String {
        if let name = configuration.names.first, !configuration.trustedProxies.isEmpty { return "https://\(name)" }
        let scheme = configuration.tls.certificate == nil ? "http" : "https"
        let host = configuration.names.first ?? configuration.addressForOthers
        return "\(scheme)://\(host.contains(":") ? "[\(host)]" : host):\(configuration.port)"
    }
}

extension ServerSettings {
    package func deviceRegistry(
        encryptedUnder key: StoreKey?
    ) throws(DeviceRegistryError) -> (any DeviceRegistry)? {
        try ServerRegistry(directory: directory, server, key: key)
    }
}
