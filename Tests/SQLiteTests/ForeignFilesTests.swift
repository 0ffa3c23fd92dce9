import Foundation
import TestSupport
import Testing
import TrackEngine
import TrackEngineSQLite
import TrackEngineTestKit

/// Things that stand in place of a store's files.
@Suite struct ForeignFilesTests {
    enum Thing: String, CaseIterable {
        case pipe, directory, link, socket

        func put(at path: String) throws {
            switch self {
            case .pipe: #expect(mkfifo(path, 0o600) == 0)
            case .directory: try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
            case .link: try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: "/etc/hostname")
            case .socket: #expect(mknod(path, S_IFSOCK | 0o600, 0) == 0)
            }
        }
    }

    private static let names = [
        "track.sqlite", "track.sqlite-wal", "track.sqlite-shm", "track.sqlite-journal", "track.ledger", "track.lock",
        "track.sqlite.salvage", "track.sqlite.salvaged",
    ]

    /// A FIFO would let `open` wait for ever for somebody at its other end.
    @Test(arguments: names, Thing.allCases)
    func `what is no file is refused at once and named`(_ name: String, _ thing: Thing) async throws {
        try await StoreDirectory.with { home in
            await (try home.open()).close()
            let path = home.path + "/" + name
            if try home.names.contains(name) { try FileManager.default.removeItem(atPath: path) }
            try thing.put(at: path)
            await #expect {
                try await home.open()
            } throws: {
                ($0 as? StoreError)?.code == .inputOutput && "\($0)".contains("\(name) is no regular file")
            }
            try FileManager.default.removeItem(atPath: path)
            await (try home.open()).close()
        }
    }
}
