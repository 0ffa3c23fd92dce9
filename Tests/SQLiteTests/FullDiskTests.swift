import Foundation
import SQLiteAccess
import TestSupport
import Testing
import TrackEngine
import TrackEngineSQLite
import TrackEngineTestKit

/// Disks that are full, and no quota that would have stopped the store before.
@Suite struct FullDiskTests {
    /// Whether this machine lets the tests mount a small file system in a namespace of its own.
    private static let canMount: Bool = {
        let probe = Process()
        probe.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        probe.arguments = ["unshare", "-m", "sh", "-c", "mount -t tmpfs -o size=64k none /mnt"]
        (probe.standardOutput, probe.standardError) = (FileHandle.nullDevice, FileHandle.nullDevice)
        guard (try? probe.run()) != nil else { return false }  // no such program: then it cannot mount either
        probe.waitUntilExit()
        return probe.terminationStatus == 0
    }()

    /// The sizes are in MiB: the reserve is as small as it may be, an eighth, and as large as it may be.
    @Test(.enabled(if: canMount, "needs root and unshare, to mount a small disk"), arguments: [2, 4, 8, 24])
    func `delivering frees a full disk, also after a start on it`(_ size: Int) async throws {
        try await StoreDirectory.with { home in
            let writer = try ChildProcess(
                "/usr/bin/env",
                [
                    "unshare", "-m", "sh", "-c",
                    "mount -t tmpfs -o size=\(size)m none \"$1\" && exec \"$0\" \"$1\" full",
                    TestEnvironment.builtProduct("store-writer"), home.path,
                ])
            let status = await writer.exit()
            #expect(status == 0, "\(writer.text.suffix(2_000))")
            let lines = writer.text.split(separator: "\n").map(String.init)
            #expect(lines.contains("failed full"))
            let accepted = lines.first { $0.hasPrefix("accepted ") }?.split(separator: " ").last.flatMap { Int($0) }
            #expect(accepted ?? 0 > 2_000)
            #expect(lines.contains("opened again"))
            #expect(lines.contains("delivered \(accepted ?? -1)"))
            #expect(lines.last == "ended")
        }
    }

    @Test(.enabled(if: canMount, "needs root and unshare, to mount a disk of 2 MiB"), arguments: [false, true])
    func `a change of key without room for it leaves the store as it was, and says why`(_ isEncrypted: Bool)
        async throws
    {
        try await StoreDirectory.with { home in
            let writer = try ChildProcess(
                "/usr/bin/env",
                [
                    "unshare", "-m", "sh", "-c",
                    "mount -t tmpfs -o size=2m none \"$1\" && exec \"$0\" \"$1\" rewrite-full",
                    TestEnvironment.builtProduct("store-writer"), home.path,
                ], environment: isEncrypted ? ["STORE_KEY": StoreKey.random().hexadecimal.revealed] : [:])
            let status = await writer.exit()
            #expect(status == 0, "\(writer.text.suffix(2_000))")
            let lines = writer.text.split(separator: "\n").map(String.init)
            let refusals = lines.filter {
                $0.hasPrefix("refused full") && $0.contains("takes as much room again as it has on the disk")
            }
            #expect(refusals.count == (isEncrypted ? 1 : 2), "\(lines)")
            #expect(!lines.contains("rewritten"))
            let accepted = lines.first { $0.hasPrefix("accepted ") }?.split(separator: " ").last.flatMap { Int($0) }
            #expect(accepted ?? 0 > 2_000)
            #expect(lines.suffix(2) == ["whole \(accepted ?? -1)", "left []"])
        }
    }

    @Test(
        arguments: [
            (0, 256 << 10), (2 << 20, 256 << 10), (4 << 20, 512 << 10), (16 << 20, 2 << 20), (Int64.max, 2 << 20),
        ] as [(Int64, Int64)])
    func `the reserve is an eighth of the disk between two bounds`(_ total: Int64, _ size: Int64) {
        #expect(ReserveFile.size(onDiskOf: total) == size)
    }

    @Test func `a small quota leaves no room for a reserve, a large one and none do`() async throws {
        try await StoreDirectory.with { home in
            let store = try await home.open()
            func hasReserve() throws -> Bool { try home.names.contains("track.reserve") }
            #expect(try hasReserve())
            try await store.configure(RetentionConfiguration(maxBytes: 1_048_576), sinks: [])
            #expect(try !hasReserve())
            try await store.configure(RetentionConfiguration(maxBytes: 64 << 20), sinks: [])
            #expect(try hasReserve())
            await store.close()
        }
    }

    @Test func `an append takes back a reserve that was used`() async throws {
        try await StoreDirectory.with { home in
            let store = try await home.open()
            try await store.releaseReserve()
            #expect(try !home.names.contains("track.reserve"))
            let records = try await store.append(StoreMaterial.drafts(0..<3), checkpoint: nil)
            #expect(records.count == 3)
            #expect(try home.names.contains("track.reserve"))
            await store.close()
        }
    }
}
