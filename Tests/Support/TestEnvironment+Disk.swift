import Foundation

extension TestEnvironment {
    /// Whether a test can mount a small disk in memory, which only root can.
    package static let canMount: Bool = {
        guard getuid() == 0 else { return false }
        let directory = NSTemporaryDirectory() + "full-disk-\(UUID().uuidString)"
        mkdir(directory, 0o700)
        defer { rmdir(directory) }
        guard run("mount", "-t", "tmpfs", "-o", "size=64k", "none", directory) else { return false }
        return run("umount", directory)
    }()

    /// A directory on a small disk.
    package static func withDisk(
        megabytes: Int = 12, isolation: isolated (any Actor)? = #isolation, _ body: (String) async throws -> Void
    ) async throws {
        try await withTemporaryDirectory { directory in
            let disk = directory + "/disk"
            mkdir(disk, 0o700)
            guard run("mount", "-t", "tmpfs", "-o", "size=\(megabytes)m", "none", disk) else {
                throw ReceiverError(description: "no disk can be mounted at \(disk)")
            }
            defer { _ = run("umount", "-l", disk) }
            try await body(disk)
        }
    }

    private static func run(_ arguments: String...) -> Bool {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = arguments
        (process.standardOutput, process.standardError) = (FileHandle.nullDevice, FileHandle.nullDevice)
        guard (try? process.run()) != nil else { return false }  // no such program
        process.waitUntilExit()
        return process.terminationStatus == 0
    }
}
