internal import TrackEngine

/// The members of all classes except positions and skies. They are rare, so one loop reads all of them.
struct ReportMembers {
    /// The members that are used.
    enum Name {
        case path, activated, devices, enable, message, release, major, minor
    }

    /// The member for each name.
    static let names = NameTable<Name>([
        "path": .path, "activated": .activated, "devices": .devices, "enable": .enable, "message": .message,
        "release": .release, "proto_major": .major, "proto_minor": .minor,
    ])

    private var path: String?
    private var activated: Double?
    private var paths: [String] = []
    private var isEnabled = false
    private var message = "without a message"
    private var release = "unknown"
    private var protocolNumbers: (major: Double?, minor: Double?)

    /// Reads all members of a line.
    init(_ line: Span<UInt8>, _ names: borrowing NameTable<Name>) throws(MalformedReport) {
        var cursor = JSONReader()
        cursor.beginObject(line)
        while let name = cursor.nextName(line) {
            switch cursor.meaning(of: name, line, names) {
            case .path: path = cursor.textOrSkip(line) ?? path
            case .activated: activated = cursor.number(line) ?? activated
            case .devices: paths = try Self.paths(&cursor, line) ?? paths
            case .enable: isEnabled = cursor.isTrue(line)
            case .message: message = cursor.textOrSkip(line) ?? message
            case .release: release = cursor.textOrSkip(line) ?? release
            case .major: protocolNumbers.major = cursor.number(line)
            case .minor: protocolNumbers.minor = cursor.number(line)
            case nil: cursor.skip(line)
            }
        }
        guard cursor.isAtEnd(line) else { throw MalformedReport.noReport }
        if let path, path.utf8.count > ReportDecoder.longestPath { throw MalformedReport.longPath }
    }

    /// The report of these members in a class.
    func report(ofClass name: String) throws(MalformedReport) -> Report {
        switch name {
        case "VERSION": return .version(release: String(release.prefix(64)), protocolVersion: protocolVersion)
        case "DEVICES": return .devices(paths)
        case "DEVICE":
            guard let path else { throw MalformedReport("expected a \"path\" in DEVICE") }
            // A removed receiver has `"activated":0`; an added one has the time since which it is active.
            return .device(path: path, isActive: activated != 0)
        case "WATCH": return .watch(isEnabled: isEnabled)
        case "ERROR": return .error(String(message.prefix(200)))
        default: return .other(String(name.prefix(32)))
        }
    }

    private var protocolVersion: String {
        [protocolNumbers.major, protocolNumbers.minor].map { number in
            number.flatMap { Int(exactly: $0) }.map { "\($0)" } ?? "?"
        }.joined(separator: ".")
    }

    /// The paths of the receivers in a list; `nil` if the value is not a list.
    private static func paths(
        _ cursor: inout JSONReader, _ line: Span<UInt8>
    ) throws(MalformedReport) -> [String]? {
        guard cursor.peek(line) == UInt8(ascii: "[") else {
            cursor.skip(line)
            return nil
        }
        var paths: [String] = []
        cursor.beginArray(line)
        while cursor.nextElement(line) {
            guard let path = path(&cursor, line) else { continue }
            guard path.utf8.count <= ReportDecoder.longestPath else { throw MalformedReport.longPath }
            paths.append(path)
        }
        return paths
    }

    private static func path(_ cursor: inout JSONReader, _ line: Span<UInt8>) -> String? {
        guard cursor.peek(line) == UInt8(ascii: "{") else {
            cursor.skip(line)
            return nil
        }
        var path: String?
        cursor.beginObject(line)
        while let name = cursor.nextName(line) {
            if line.extracting(name).equals("path") {
                path = cursor.textOrSkip(line) ?? path
            } else {
                cursor.skip(line)
            }
        }
        return path
    }
}
