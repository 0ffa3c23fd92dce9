internal import TrackEngine

extension ZoneOffsetTable {
    /// The expected form of a name, in words that complete "expected …".
    package static let nameExpectation =
        "UTC, an offset such as +01:00, or the name of a time zone that this machine knows, such as Europe/Berlin"

    /// The zone of a name: `UTC`, an offset such as `+01:00`, or one of the time zone database of this machine.
    ///
    /// Reads the database's file. `nil` for an unknown name, and where the machine has no database.
    public init?(name: String) {
        if name == "UTC" || name == "Z" {
            self = .utc
        } else if let first = name.utf8.first, first == UInt8(ascii: "+") || first == UInt8(ascii: "-") {
            self.init(offset: name)
        } else {
            self.init(file: name)
        }
    }

    /// Finds zones by their names, each of which is looked up once; a document has at most ``mostNames``.
    static func names() -> ZoneNames {
        let known = SystemMutex([String: ZoneOffsetTable?]())
        return { name in
            known.withLock { known in
                if let zone = known[name] { return zone }
                guard known.count < mostNames else { return nil }
                let zone = ZoneOffsetTable(file: name)
                known[name] = .some(zone)
                return zone
            }
        }
    }

    private static let mostNames = 256

    private init?(offset text: String) {
        let parts = text.dropFirst().split(separator: ":", omittingEmptySubsequences: false)
        let numbers = parts.compactMap { $0.utf8.count == 2 && $0.utf8.allSatisfy { $0 &- 48 < 10 } ? Int($0) : nil }
        guard numbers.count == parts.count, (1...2).contains(parts.count), numbers[0] < 24, numbers.last ?? 0 < 60
        else { return nil }
        let seconds = numbers[0] * 3600 + (numbers.count == 2 ? numbers[1] * 60 : 0)
        self.init(secondsAheadOfUTC: text.hasPrefix("-") ? -seconds : seconds)
    }

    private init?(file name: String) {
        let isName = name.utf8.allSatisfy { byte in
            byte | 0x20 &- UInt8(ascii: "a") < 26 || byte &- 48 < 10 || "/_+-".utf8.contains(byte)
        }
        guard isName, !name.isEmpty, name.utf8.count <= 64, !name.hasPrefix("/"),
            let bytes = Self.contents(of: "/usr/share/zoneinfo/" + name)
        else { return nil }
        self.init(zoneFile: bytes)
    }

    /// A file of at most 64 KiB; `nil` for one that cannot be read or is longer.
    private static func contents(of path: String) -> [UInt8]? {
        guard FileInput.isRegular(path), var file = try? FileInput(path: path, interruption: Interruption()) else {
            return nil  // no such zone
        }
        var (bytes, count) = ([UInt8](repeating: 0, count: 65_536), 0)
        while count < bytes.count {
            guard let read = try? file.read(into: &bytes, at: count) else { return nil }  // no such zone either
            if read == 0 { return Array(bytes.prefix(count)) }
            count += read
        }
        return nil
    }
}
