import ArgumentParser
import Glibc
import TrackEngine

/// The output of an export: standard output, or a file that only its owner can read, because it contains positions.
struct ExportOutput: Sendable {
    private let descriptor: Descriptor

    /// Opens the output; an existing file is overwritten.
    init(path: String?) throws {
        let raw = path.map { open($0, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600) } ?? dup(STDOUT_FILENO)
        guard raw >= 0 else {
            throw ExitStatus.cannotCreate.saying("\(SystemError("cannot write \(path ?? "standard output")"))")
        }
        descriptor = Descriptor(owning: raw)
    }

    /// Writes bytes, on a separate thread because the reader may be slow.
    func write(_ bytes: [UInt8]) async throws {
        try await SystemThread.run { [descriptor] in
            var output = CommandOutput(to: descriptor.raw, capacity: 0)
            output.bytes = bytes
            try output.flush()
        }
    }
}
