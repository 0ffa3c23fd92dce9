import Foundation
import TestSupport
import Testing
import TrackEngine
import TrackEngineFiles
import TrackEngineTestKit

@Suite("Reading files")
struct ReaderTests {
    private static let line = sentence("GPRMC,101530,A,4807.038,N,01131.000,E,,,230324,,,A")

    @Test
    func `a missing file is named, with the reason`() async {
        let error = await #expect(throws: ReplayError.self) {
            for try await _ in ReplayReader(path: "/nowhere/drive.nmea") {}
        }
        #expect(error?.code == .missing)
        expectMessage(error?.description, begin: "/nowhere/drive.nmea")
    }

    @Test
    func `a folder is named, with the reason`() throws {
        let error = #expect(throws: ReplayError.self) { try ReplayFile(path: "/tmp").next() }
        expectMessage(error?.description, begin: "/tmp")
    }

    @Test
    func `an empty file has nothing, and no problem`() async throws {
        try await TestEnvironment.withTemporaryDirectory { directory in
            try write([], to: directory + "/empty.nmea")
            let chunk = try replay(directory + "/empty.nmea")
            #expect(chunk.isEmpty)
        }
    }

    @Test
    func `the reader yields what the decoder does, and tells how far it is`() async throws {
        try await TestEnvironment.withTemporaryDirectory { directory in
            let bytes = Array(String(repeating: Self.line, count: 5000).utf8)
            try write(bytes, to: directory + "/a.nmea")
            var all = ReplayChunk()
            var positions: [Int64] = []
            for try await chunk in ReplayReader(path: directory + "/a.nmea") {
                all.append(chunk)
                positions.append(chunk.bytesRead)
                #expect(chunk.totalBytes == Int64(bytes.count))
            }
            #expect(all.fixes == decode(bytes, as: .nmea).fixes)
            #expect(positions == positions.sorted())
            #expect(positions.last == Int64(bytes.count))
            #expect(positions.count > 3)
        }
    }

    @Test
    func `a pipe is read as it comes, and a silent one can be left`() async throws {
        try await TestEnvironment.withTemporaryDirectory { directory in
            let path = directory + "/pipe"
            #expect(mkfifo(path, 0o600) == 0)
            let (arrivals, arrived) = AsyncStream.makeStream(of: Int.self, bufferingPolicy: .bufferingNewest(1))
            let output = FixOutput(emit: { fixes throws(CancellationError) in arrived.yield(fixes.count) })
            let configuration = ReplaySource.Configuration(path: path, options: ReplayOptions(format: .nmea))
            let task = Task { try await ReplaySource(configuration: configuration).run(output) }
            let writer = open(path, O_RDWR)  // does not wait for a reader
            let bytes = Array((Self.line + sentence("GPRMC,101531,A,4807.038,N,01131.000,E,,,230324,,,A")).utf8)
            #expect(Foundation.write(writer, bytes, bytes.count) == bytes.count)
            #expect(await arrivals.first { $0 > 0 } == 1)
            task.cancel()
            await #expect(throws: CancellationError.self) { try await task.value }
            close(writer)
        }
    }

    @Test
    func `many readers come and go without leaving threads or descriptors behind`() async throws {
        try await TestEnvironment.withTemporaryDirectory { directory in
            let path = directory + "/a.nmea"
            try write(Array(Self.line.utf8), to: path)
            await #expect(processExitsWith: .success) { [path = path as String] in
                for try await _ in ReplayReader(path: path) {}
                let before = try threadsAndDescriptors()
                for _ in 0..<500 {
                    for try await chunk in ReplayReader(path: path) { #expect(chunk.fixes.count <= 1) }
                }
                // The first reader's thread may still have been there; the pool may grow by a thread for each core.
                let cores = ProcessInfo.processInfo.activeProcessorCount
                try await eventually("threads and descriptors go back") {
                    zip(try threadsAndDescriptors(), before).allSatisfy { $0 <= $1 + cores }
                }
            }
        }
    }
}
