import TrackEngineSettings

/// A server of map tiles elsewhere. The page requests no tile from it before its user agrees.
public struct TileServer: Sendable, Hashable {
    /// The address of a tile with `{z}`, `{x}` and `{y}` in it, numbered as OpenStreetMap's are.
    public let template: String
    /// The author of the map, in the form that its licence requires; shown as text.
    public let attribution: String
    /// The largest zoom that it has tiles of.
    public let maximumZoom: Int
    /// The origin from which a browser may load pictures.
    let origin: String
    /// The server's name on the page.
    let host: String

    /// The zooms that a page shows.
    package static let zooms = 1...22

    /// A server of tiles; `nil` where the template is no address, or has another placeholder, or one of the three not
    /// at all.
    ///
    /// Tiles of another machine need TLS: it hides the viewed place from the network.
    public init?(template: String, attribution: String, maximumZoom: Int = 19) {
        var address = template
        for name in ["{z}", "{x}", "{y}"] {
            guard address.contains(name) else { return nil }
            address = address.replacing(name, with: "0")
        }
        // An address with a remaining brace, or with a placeholder as its host, is refused.
        guard let endpoint = Endpoint(ifReadable: address), Self.zooms.contains(maximumZoom),
            endpoint.origin.scheme == .https || endpoint.origin.isLoopback,
            TextRule.host.isSatisfied(by: endpoint.origin.host),
            let target = template.split(separator: "/", maxSplits: 3, omittingEmptySubsequences: false).last,
            ["{z}", "{x}", "{y}"].allSatisfy(target.contains)
        else { return nil }
        self.template = template
        self.attribution = attribution
        self.maximumZoom = maximumZoom
        origin = endpoint.origin.description
        host = endpoint.origin.host
    }
}
