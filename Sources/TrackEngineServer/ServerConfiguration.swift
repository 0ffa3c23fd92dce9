import Glibc
public import TrackEngine
public import TrackEngineSettings

/// The address of a server and the requests that it accepts.
public struct ServerConfiguration: Sendable, Hashable {
    /// The address to listen on. Default 127.0.0.1, which other machines do not reach.
    public var host = "127.0.0.1"
    /// The port to listen on, 0 for one that is free. Default 8080.
    public var port = 8080
    /// Certificate and key, for HTTPS.
    public var tls = TLSFiles()
    /// Lets the server listen for other machines without TLS: the network between can read tokens and places. A proxy
    /// with TLS in front of it is a reason. Default `false`.
    public var allowInsecure = false
    /// The names under which people and devices reach the server, in addition to loopback names and addresses.
    public var names: [String] = []
    /// Paths that accept Overland's format, in addition to `/dump` and `/api/overland`.
    public var overlandPaths: [String] = []
    /// A port that accepts the requests of Traccar's clients and OsmAnd at its root, as Traccar's own port 5055 does.
    public var osmAndPort: Int?
    /// Addresses of proxies, or ranges of them such as `10.0.0.0/8`. Their information about the origin of a request
    /// is trusted.
    ///
    /// With some, the server may listen for other machines without TLS of its own; it then answers only the proxies
    /// and its own machine.
    public var trustedProxies: [String] = []
    /// The secrets of senders that encrypt their messages as OwnTracks' apps do, by the sender's name.
    public var ownTracksSecrets: [DeviceID: Secret] = [:]
    /// A map of pictures under the tracks: the path of a file in the format MBTiles.
    public var map: String?
    /// A server of map tiles, from which the page loads when its user agrees.
    public var tiles: TileServer?

    /// Listens on the loopback address, port 8080.
    public init() {}

    /// Paths that have a meaning already.
    static let ownPaths = Set(
        [
            "/", "/dump", "/api", "/pub", "/calmgeo", "/osmand", "/log", "/v1", "/status", "/coordinates", "/healthz",
            "/metrics", "/client", "/page", "/leaflet", "/tiles", "/t",
        ] + MiataruRequest.allCases.map { "/\($0.rawValue)" })

    /// The largest body of a request, in bytes.
    static let largestBody = 10 << 20
    /// The largest body after it was inflated, in bytes.
    static let largestInflatedBody = 40 << 20
    /// The most connections at a time: viewers, and as many as issue other requests.
    static let maximumConnections = LiveRoutes.maximumViewers + 256
    /// The most connections: half of the descriptors that the process may open, at most. Clients that only hold
    /// connections then leave enough for the store and for commands.
    package static var connectionLimit: Int {
        var limit = rlimit()
        guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return maximumConnections }
        return connectionLimit(descriptors: UInt64(limit.rlim_cur))
    }

    /// How many connections are taken by a process that may open so many descriptors.
    package static func connectionLimit(descriptors: UInt64) -> Int {
        min(maximumConnections, max(16, Int(clamping: descriptors / 2)))
    }

    /// How long a connection may be silent.
    package static let idleTimeout = Duration.seconds(60)
}
