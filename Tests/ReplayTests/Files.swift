import Foundation
import TestSupport
import Testing
import TrackEngine
import TrackEngineFiles
import TrackEngineTestKit

func write(_ bytes: [UInt8], to path: String) throws {
    try Data(bytes).write(to: URL(fileURLWithPath: path))
}

func read(_ path: String) throws -> [UInt8] {
    Array(try Data(contentsOf: URL(fileURLWithPath: path)))
}

/// The bytes as `gzip` makes them.
func gzip(_ path: String) async throws -> [UInt8] {
    let process = try ChildProcess("/usr/bin/env", ["gzip", "-nk", path])
    await eventually("gzip ends") { process.exitCode == 0 }
    return try read(path + ".gz")
}

/// Reads a whole file.
func replay(_ path: String, options: ReplayOptions = ReplayOptions()) throws -> ReplayChunk {
    var all = ReplayChunk()
    let file = try ReplayFile(path: path, options: options)
    while let chunk = try file.next() {
        all.append(chunk)
    }
    return all
}

extension ReplayChunk {
    mutating func append(_ other: ReplayChunk) {
        track.fixes += other.fixes
        track.problems += other.problems
        bytesRead = other.bytesRead
    }
}

/// How many threads and open descriptors the process has at this moment.
func threadsAndDescriptors() throws -> [Int] {
    try ["/proc/self/task", "/proc/self/fd"].map { try FileManager.default.contentsOfDirectory(atPath: $0).count }
}

/// How much memory the process holds at this moment, in bytes.
func residentBytes() throws -> Int {
    let text = try String(contentsOfFile: "/proc/self/statm", encoding: .utf8)
    return (text.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0) * Int(getpagesize())
}
