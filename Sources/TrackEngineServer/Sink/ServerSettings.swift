import Encryption
package import TrackEngine
import TrackEngineHistory
public import TrackEngineSettings

extension ServerSink {
    /// `type: server`: a history on this machine, a page that shows it, and a receiver for other devices.
    public static let plugin = SinkPlugin(ServerSettings.self) { stateDirectory in
        var settings = ServerSettings()
        settings.directory = "\(stateDirectory)/server"
        return settings
    }
}

/// `{type: server, directory: /var/lib/trackd/server}`
package struct ServerSettings: DirectorySettings, EncryptedSettings, SyncSettings {
    package static let type = "server"
    package static let summary =
        "A history of tracks on this machine, a page that shows it and live updates, and a receiver for other devices."

    /// The directory of the history and of the list of devices, which belongs to one process, and to one sink in it.
    /// Required.
    package var directory = ""
    /// The server's address and the requests that it accepts.
    package var server = ServerConfiguration()
    /// A server of map tiles, as it is written; none without a template.
    package var tiles = TileFields()
    /// How long points stay, 0 for ever. Default 0.
    package var keepDays = 0
    /// How many bytes the history may take, 0 for any number. Default 0.
    package var maxBytes: Int64 = 0
    /// Whether it is a server for Miataru's apps, too. Default false.
    package var miataru = false
    /// The secrets of senders that encrypt as OwnTracks does.
    package var ownTracksSecrets: [SenderSecret] = []

    package init() {}

    /// People watch: each record is shown when it is there.
    package var defaultSyncThreshold: Int? { 1 }

    package static let fields: [Field<Self>] = [
        .text("directory", \.directory, .absolutePath).required()
            .meaning("The directory of the history and of the devices that may send; no other sink may write there."),
        .text("host", \.server.host, .host)
            .meaning("The address to listen on; other machines do not reach a loopback address."),
        .integer("port", \.server.port, 0...65_535, "").meaning("The port to listen on; 0 takes one that is free."),
        .table("tls", \.server.tls, certificateFields).meaning("A certificate, for HTTPS."),
        .flag("allowInsecure", \.server.allowInsecure)
            .meaning("Listens for other machines without TLS: everyone on the way can read tokens and positions."),
        .texts("names", \.server.names, .host, "a list of host names")
            .meaning("The names by which others ask for the server, in addition to loopback names and addresses."),
        .texts("overlandPaths", \.server.overlandPaths, .serverPath, "a list of paths such as /api/input")
            .meaning("Paths that take Overland's format, in addition to /dump and /api/overland."),
        .integer("osmandPort", \.server.osmAndPort, 1...65_535)
            .meaning(
                "A port that takes the requests of Traccar's clients and OsmAnd at its root, as Traccar's 5055 does."),
        .texts("trustedProxies", \.server.trustedProxies, .networkRange, "a list of addresses or ranges")
            .meaning(
                "Proxies, as addresses or ranges such as 10.0.0.0/8; their X-Forwarded-Proto and X-Forwarded-Host are trusted."
            ),
        .flag("miataru", \.miataru)
            .meaning(
                "Is a server for Miataru's apps, too: their places are kept as long as each wants, and not in the history."
            ),
        .ownTracksSecrets
            .meaning(
                "The secrets of devices that encrypt as OwnTracks' apps do, by the names under which they may send."),
        .text("map", \.server.map, .absolutePath)
            .meaning("A map of pictures under the tracks: a file in the format MBTiles."),
        .table("tiles", \.tiles, TileFields.fields)
            .meaning("A server of map tiles; the page loads from it when its user presses a button."),
        .integer("keepDays", \.keepDays, HistoryRetention.days, "days")
            .meaning("How long points stay, counted back from the newest one of their device; 0 for ever."),
        .bytes("maxBytes", \.maxBytes, HistoryRetention.totals)
            .meaning(
                "How much points and events may take; the oldest of the device, or of the gateway's devices, that has most go first; 0 for no limit. "
                    + "Lines drawn from them take at most a quarter of it in addition."),
    ]

    private static let certificateFields: [Field<TLSFiles>] = [
        .text("certificate", \.certificate, .absolutePath)
            .meaning("A PEM file of the server's certificate with its chain; needs key."),
        .text("key", \.key, .absolutePath)
            .meaning("A PEM file of the certificate's private key, which only its owner may read."),
    ]

    package mutating func check(_ table: inout TableDecoder) {
        if let template = tiles.template {
            server.tiles = TileServer(
                template: template, attribution: tiles.attribution ?? "", maximumZoom: tiles.maximumZoom)
            // The address may hold a key.
            if server.tiles == nil { table.reject("tiles", "(a template)", TileFields.expectation) }
        }
        // Proxies that were refused when they were read have left none.
        let hasRefusedProxies =
            server.trustedProxies.isEmpty && table.node("trustedProxies")?.elements?.isEmpty == false
        if let problem = server.problem, !(problem.key == "host" && hasRefusedProxies) {
            table.reject(problem.key, nil, problem.expectation)
        }
    }

    package var readers: String? { "everyone with a link to its page" }

    package var expectationOfFiles: String? {
        HistoryFiles.expectation(of: directory) ?? HistoryFiles.expectation(of: directory + "/miataru")
    }

    package var encryptedPlaces: [any EncryptedDirectory] {
        [
            EncryptedHistory(directory: directory),
            EncryptedHistory(directory: directory + "/miataru", companions: [MiataruService.fileName]),
            EncryptedFiles(in: directory, names: [AccessFile.name]),
        ]
    }

    package static func encryptedPlaces(in stateDirectory: String) -> [any EncryptedDirectory] {
        EncryptedFiles.found(named: AccessFile.name, below: stateDirectory)
    }

    package func makeSink(named name: SinkID, _ context: PluginContext) throws(ConfigurationError) -> any FixSink {
        do throws(ServerError) {
            _ = try server.makeTLS()
            if let map = server.map { try TileFile.require(at: map) }
        } catch {
            throw ConfigurationError(error.key ?? "tls", error.value ?? "(files)", error.expectation ?? "\(error)")
        }
        var server = server
        for sender in ownTracksSecrets {
            server.ownTracksSecrets[sender.device] = try context.secret(
                "ownTracksSecrets.\(sender.device)", sender.secret)
        }
        var retention = HistoryRetention()
        retention.keepDays = keepDays
        retention.maxBytes = maxBytes
        return ServerSink(
            id: name, directory: directory, device: context.device, server, key: context.storeKey,
            retention: retention, servesMiataru: miataru, logger: context.logger)
    }
}

/// A server of map tiles as a configuration writes it.
package struct TileFields: Sendable, Hashable {
    /// The address of a tile, with places for its numbers.
    package var template: String?
    /// The attribution of the map.
    package var attribution: String?
    /// The largest zoom that it has tiles of.
    package var maximumZoom = 19

    static let expectation = "an address with https and {z}, {x} and {y} in its path, and no other braces"

    static let fields: [Field<Self>] = [
        .text("template", \.template).meaning("The address of a tile: https, with {z}, {x} and {y} in its path."),
        .text("attribution", \.attribution, .line).meaning("The attribution of the map, as its licence requires it."),
        .integer("maxZoom", \.maximumZoom, TileServer.zooms).meaning("The largest zoom that the server has tiles of."),
    ]
}

extension TextRule {
    /// An address, or a range of them.
    fileprivate static let networkRange = TextRule(expectation: "an address or a range such as 10.0.0.0/8") { text in
        NetworkRange(text) != nil
    }

    /// A path that a router takes literally.
    fileprivate static let serverPath = TextRule(expectation: "a path such as /api/input") { text in
        text.hasPrefix("/") && (2...200).contains(text.utf8.count)
            && text.utf8.allSatisfy { $0.isAlphanumeric || "/-._".utf8.contains($0) }
    }
}
