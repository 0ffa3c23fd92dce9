import Foundation
import TestSupport

/// Full, bounded, read-only, failing and vanishing disks.
package struct DiskPart: TorturePart {
    package let name = "disks"
    package let summary = """
        a file system of 4 MiB runs full with and without a restart, or has a quota of 2 MiB on it; every change fails with \
        EROFS or EIO for a while; the directory is removed
        """
    package let bar = "goes on, counts drops, delivers from a full disk, recovers in 10 s, accepts nothing that is gone"
    package let patience = 120.0

    private let mayMount: Bool

    /// - Parameter mayMount: whether this process may mount a file system of its own.
    package init(mayMount: Bool = geteuid() == 0) { self.mayMount = mayMount }

    package func tries(at scale: TortureScale, on bench: TortureBench) -> [Int] {
        Array(0..<DiskTrial.Kind.allCases.count)
    }

    package func attempt(_ number: Int, on bench: TortureBench) async throws -> TryResult {
        let kind = DiskTrial.Kind.allCases[number % DiskTrial.Kind.allCases.count]
        guard kind.megabytes == nil || mayMount else { return .notRun("mounting needs root") }
        return try await bench.withFolder { folder in
            let directory = folder + "/disk/store"
            try FileManager.default.createDirectory(atPath: folder + "/disk", withIntermediateDirectories: true)
            let child = try start(kind, directory: directory, folder: folder, on: bench)
            let code = await child.exit()
            var result = TryResult(counts: [kind.rawValue: 1])
            let lines = child.text.split(separator: "\n").map(String.init)
            result.violations = lines.filter { $0.hasPrefix("violation ") }.map {
                "\(kind.rawValue): \($0.dropFirst(10))"
            }
            if code != 0 {
                result.violations.append("\(kind.rawValue): ended with \(code): \(lines.last ?? "")")
            }
            return result
        }
    }

    private func start(
        _ kind: DiskTrial.Kind, directory: String, folder: String, on bench: TortureBench
    ) throws -> ChildProcess {
        let trial = ["trial", "disk", kind.rawValue, directory, folder + "/switch"]
        if let megabytes = kind.megabytes {
            let mount = "mount -t tmpfs -o size=\(megabytes)m none \(folder)/disk && exec \"$@\""
            return try ChildProcess(
                "/usr/bin/unshare", ["--mount", "/bin/sh", "-c", mount, "sh", bench.program] + trial)
        }
        return try ChildProcess(
            bench.program, trial,
            environment: ["LD_PRELOAD": bench.shim, "TORTURE_DIR": directory, "TORTURE_SWITCH": folder + "/switch"])
    }
}
