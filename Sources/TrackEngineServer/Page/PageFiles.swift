import CServer
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
    static let own: PageFiles = {
        var count = 0
        let files = UnsafeBufferPointer(start: page_files(&count), count: count)
        let known = Dictionary(
            uniqueKeysWithValues: files.map { file in
                (String(cString: file.name), Array(UnsafeBufferPointer(start: file.bytes, count: file.size)))
            })
        return PageFiles { known[$0] }
    }()

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
