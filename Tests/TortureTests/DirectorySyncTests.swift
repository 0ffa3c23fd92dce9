import Foundation
import TestSupport
import Testing
import TortureKit

/// A power cut must not take a directory with everything that was synchronised in it.
@Suite struct DirectorySyncTests {
    @Test func `each directory that the store makes is synchronised before a file is made in it`() async throws {
        let program = TestEnvironment.builtProduct("torture")
        let calls = try await TortureBench.with(seed: 1, program: program) { bench in
            try await bench.withFolder { folder in
                let (watched, ledger, record) = (folder + "/watched", folder + "/ledger", folder + "/calls")
                try FileManager.default.createDirectory(atPath: watched, withIntermediateDirectories: true)
                let child = try ChildProcess(
                    bench.program, ["workload", watched + "/a/b/store", ledger, "ordinary", "1", "1", "1"],
                    environment: [
                        "LD_PRELOAD": bench.shim, "TORTURE_DIR": watched, "TORTURE_LEDGER": ledger,
                        "TORTURE_RECORD": record,
                    ])
                child.waitUntilExit()
                #expect(child.exitCode == 0, "\(child.text)")
                return try RecordedCall.calls(of: Data(contentsOf: URL(fileURLWithPath: record)))
            }
        }
        // Three directories are made, and each is an entry of another: of the watched one, of "a" and of "b".
        let before = calls.prefix { $0.kind != .create }
        #expect(before.count { $0.kind == .syncDirectory } == 3)
        #expect(before.count < calls.count)
    }
}
