import Foundation

/// Paths for a store or a socket of which few can be used, and what stands there.
enum OddPlaces {
    static func make(in folder: String) throws {
        func write(_ text: String, _ name: String) throws {
            try Data(text.utf8).write(to: URL(fileURLWithPath: "\(folder)/\(name)"))
        }
        func directory(_ name: String, _ mode: mode_t) {
            mkdir("\(folder)/\(name)", 0o700)
            chmod("\(folder)/\(name)", mode)
        }
        try write("no track", "file")
        try write("time,lat,lon\n1772359200,1,1\n", "track")
        mkfifo("\(folder)/pipe", 0o600)
        directory("directory", 0o755)
        directory("shared", 0o1777)
        directory("writable", 0o777)
        directory("named", 0o700)
        try write("not an id\u{1}\n", "named/device-id")
        symlink("\(folder)/nowhere", "\(folder)/link")
        directory("private", 0o700)
        symlink("\(folder)/private", "\(folder)/linked")  // as systemd's DynamicUser= does it
        directory("mixed", 0o777)
        try write("for all to read", "mixed/notes")
        directory("lockless", 0o700)
        symlink("\(folder)/track", "\(folder)/lockless/track.lock")
        directory("occupied", 0o700)
        directory("occupied/track.sqlite-wal", 0o700)
    }

    static func stores(in folder: String) -> [String] {
        [
            "file", "file/below", "shared", "shared/own", "writable", "link", "directory", "new/deep", "named", "pipe",
            "linked", "mixed", "lockless", "occupied", String(repeating: "x", count: 256),
        ].map { "\(folder)/\($0)" }
    }

    static func sockets(in folder: String) -> [String] {
        [
            "file", "directory", "shared/socket", "missing/socket", "missing/deep/socket", "file/socket", "link",
            "state/socket", "new/socket", "linked/socket", "mixed/socket", "new", "new/deep", "new/deep/",
            "new/deep/..", "linked/track.lock", "private/device-id", "private/./track.sqlite",
            "directory/track.ledger/socket",
            String(repeating: "x", count: max(0, 108 - folder.utf8.count)),
        ].map { "\(folder)/\($0)" } + ["null"]
    }
}
