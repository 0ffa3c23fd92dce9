import TrackEngine

/// Files by listed names: other files of a directory cannot be requested.
struct PageFiles: Sendable {
    /// A file as a browser gets it.
    struct File: Sendable, Hashable {
        let bytes: [UInt8]
        let mediaType: String
    }

    private let read: @Sendable (String) -> [UInt8]?

    /// The page's own files, which are a part of the program.
    static let own = PageFiles { name in
        switch name {
        case "index.html": PackageResources.index_html
        case "locked.html": PackageResources.locked_html
        case "style.css": PackageResources.style_css
        case "app.js": PackageResources.app_js
        case "format.js": PackageResources.format_js
        case "map.js": PackageResources.map_js
        case "live.js": PackageResources.live_js
        case "history.js": PackageResources.history_js
        case "colours.js": PackageResources.colours_js
        case "places.js": PackageResources.places_js
        case "rejected.js": PackageResources.rejected_js
        case "session.js": PackageResources.session_js
        case "storage.js": PackageResources.storage_js
        case "vehicle.js": PackageResources.vehicle_js
        case "ground.js": PackageResources.ground_js
        case "tiles.js": PackageResources.tiles_js
        case "agent.js": PackageResources.agent_js
        case "devices.js": PackageResources.devices_js
        case "groups.js": PackageResources.groups_js
        case "drawing.js": PackageResources.drawing_js
        case "pieces.js": PackageResources.pieces_js
        case "nomap.js": PackageResources.nomap_js
        case "player.js": PackageResources.player_js
        case "chart.js": PackageResources.chart_js
        case "ask.js": PackageResources.ask_js
        case "modes.js": PackageResources.modes_js
        case "day.js": PackageResources.day_js
        case "daymap.js": PackageResources.daymap_js
        case "timeline.js": PackageResources.timeline_js
        case "diary.js": PackageResources.diary_js
        case "corrections.js": PackageResources.corrections_js
        case "areas.js": PackageResources.areas_js
        case "areaeditor.js": PackageResources.areaeditor_js
        case "land.json": PackageResources.land_json
        case _: nil
        }
    }

    /// Leaflet, from the package `libjs-leaflet`.
    static let leaflet = PageFiles(in: "/usr/share/javascript/leaflet", ["leaflet.js", "leaflet.css"])

    /// Leaflet's images.
    static let leafletImages = PageFiles(
        in: "/usr/share/javascript/leaflet/images",
        ["layers.png", "layers-2x.png", "marker-icon.png", "marker-icon-2x.png", "marker-shadow.png"])

    private init(_ read: @escaping @Sendable (String) -> [UInt8]?) { self.read = read }

    /// Some files of a directory of the system.
    ///
    /// Each is read once, and slow readers share its bytes.
    private init(in directory: String, _ names: Set<String>) {
        let known = SystemMutex([String: [UInt8]]())
        self.init { name in
            guard names.contains(name) else { return nil }
            return known.withLock { known in
                if let bytes = known[name] { return bytes }
                // A file that cannot be read is missing.
                let bytes = (try? FileContent.read("\(directory)/\(name)", limit: Self.maximumSize, .followsLinks))?
                    .bytes
                known[name] = bytes
                return bytes
            }
        }
    }

    /// The file of a name; `nil` where there is none.
    subscript(name: String) -> File? {
        read(name).map { File(bytes: $0, mediaType: Self.mediaType(of: name)) }
    }

    private static func mediaType(of name: String) -> String {
        switch name.split(separator: ".").last {
        case "html": "text/html; charset=utf-8"
        case "css": "text/css; charset=utf-8"
        case "js": "text/javascript; charset=utf-8"
        case "png": "image/png"
        case "json": "application/json"
        case _: "application/octet-stream"
        }
    }

    /// The largest file: Leaflet has 150 kB.
    private static let maximumSize = 4 << 20
}
