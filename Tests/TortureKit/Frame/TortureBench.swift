import Foundation
import TestSupport
import TrackEngineSimulated

/// What a part works with: a seed, a folder of its own, the program that is started as a child, and the shim.
package struct TortureBench: Sendable {
    package let seed: UInt64
    /// A folder that is removed in the end; a real path, on a memory file system where there is one.
    package let scratch: String
    /// The `torture` program.
    package let program: String
    /// The shared library for LD_PRELOAD.
    package let shim: String

    /// Runs `body` with a bench whose folder is removed afterwards.
    ///
    /// - Parameters:
    ///   - shim: the library, if another process has built it already.
    ///   - parent: where the folder is made; that of a process which removes it if this one cannot.
    package static func with<Result>(
        seed: UInt64, program: String, shim: String? = nil, in parent: String? = nil,
        isolation: isolated (any Actor)? = #isolation,
        _ body: (TortureBench) async throws -> Result
    ) async throws -> Result {
        let memory = FileManager.default.isWritableFile(atPath: "/dev/shm") ? "/dev/shm" : NSTemporaryDirectory()
        let parent = parent ?? memory
        let made = URL(fileURLWithPath: parent).resolvingSymlinksInPath().path + "/torture-" + UUID().uuidString
        try FileManager.default.createDirectory(atPath: made, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: made) }  // a leftover fails nothing
        let library = try shim ?? ShimLibrary.build(in: made)
        return try await body(TortureBench(seed: seed, scratch: made, program: program, shim: library))
    }

    /// The chance of one try: the same for the same seed, part and number.
    package func random(_ part: String, _ number: Int) -> SplitMix64 {
        // FNV-1a keeps the parts apart.
        let name = part.utf8.reduce(UInt64(0xcbf2_9ce4_8422_2325)) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
        return SplitMix64(seed: seed ^ name ^ UInt64(truncatingIfNeeded: number) &* 0x9e37_79b9_7f4a_7c15)
    }

    /// A fresh folder for one try, removed when `body` returns.
    package func withFolder<Result>(
        isolation: isolated (any Actor)? = #isolation, _ body: (String) async throws -> Result
    ) async throws -> Result {
        let path = scratch + "/" + UUID().uuidString
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: path) }  // removed with the bench at the latest
        return try await body(path)
    }
}

/// The C of Tests/TortureShims as a shared library.
enum ShimLibrary {
    /// Compiles the library into a folder; returns its path.
    static func build(in folder: String) throws -> String {
        let sources = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().appendingPathComponent("TortureShims").path
        let files = try FileManager.default.contentsOfDirectory(atPath: sources).filter { $0.hasSuffix(".c") }
        let library = folder + "/torture-shim.so"
        let command =
            "exec cc -shared -fPIC -O1 -o \(library) \(files.map { sources + "/" + $0 }.joined(separator: " "))"
        let compiler = try ChildProcess("/bin/sh", ["-c", command + " -ldl -lpthread"])
        compiler.waitUntilExit()
        guard compiler.exitCode == 0 else {
            throw NotRunnable("the shim needs a C compiler called cc: \(compiler.text)")
        }
        return library
    }
}
