import Foundation
import NIOCore
import TestSupport
import Testing
import TrackEngine
import TrackEngineHistory
import TrackEngineServer
import TrackEngineTestKit

@Suite("The server sink", .timeLimit(.minutes(30)))
struct ServerSinkTests {
    private static func sink(in directory: String, port: Int = 0) -> ServerSink {
        var configuration = ServerConfiguration()
        configuration.port = port
        return ServerSink(directory: directory, device: "van", configuration)
    }

    @Test func `Records are in the history when they are delivered, and the server says where it is`() async throws {
        try await TestEnvironment.withTemporaryDirectory { directory in
            let sink = Self.sink(in: directory + "/server")
            let running = Task { try await sink.run() }
            await eventually("it listens") { sink.statusItems(now: .now()).contains { $0.tone == .good } }
            let batch = RecordBatch(records: SampleRecords.records(from: 1, count: 3))
            #expect(try await sink.deliver(batch) == .all(of: batch))
            running.cancel()
            _ = await running.result
            await sink.close()
            let history = try await TrackHistory.open(directory: directory + "/server")
            #expect(try await history.devices().map(\.id) == ["van"])
            await history.close()
        }
    }

    @Test func `While its port is taken records are kept all the same, and the status says why there is no page`()
        async throws
    {
        try await TestEnvironment.withTemporaryDirectory { directory in
            let port = try ReservedPort()
            let taken = try LoopbackSocket.listen(at: .ipv4(port.number), backlog: 1)
            defer { close(taken) }
            let sink = Self.sink(in: directory + "/server", port: port.number)
            await #expect(throws: (any Error).self) { try await sink.run() }
            #expect(sink.statusItems(now: .now()).contains { $0.name == "failure" && $0.tone == .bad })
            let batch = RecordBatch(records: SampleRecords.records(from: 1, count: 3))
            #expect(try await sink.deliver(batch) == .all(of: batch))
            await sink.close()
        }
    }

    @Test(arguments: [
        (EADDRINUSE, "a taken port"), (EACCES, "a privileged port"), (EADDRNOTAVAIL, "another machine's address"),
    ])
    func `Why it cannot listen is said with the key to change`(_ code: Int32, _ name: String) {
        let sink = Self.sink(in: "/nowhere", port: 80)
        expectMessage(
            sink.words(for: IOError(errnoCode: code, reason: "bind")), begin: "127.0.0.1, port 80", as: name)
    }

    @Test func `The system's own refusals have these words`() async throws {
        try await TestEnvironment.withTemporaryDirectory { directory in
            let port = try ReservedPort()
            let taken = try LoopbackSocket.listen(at: .ipv4(port.number), backlog: 1)
            defer { close(taken) }
            // An address for documentation (RFC 5737), which no machine has.
            for (host, words) in [("127.0.0.1", "the key 'port'"), ("192.0.2.1", "the key 'host'")] {
                var configuration = ServerConfiguration()
                (configuration.host, configuration.port, configuration.allowInsecure) = (host, port.number, true)
                let sink = ServerSink(directory: directory + "/server", device: "van", configuration)
                await #expect(throws: (any Error).self) { try await sink.run() }
                let failure = try #require(sink.statusItems(now: .now()).first { $0.name == "failure" })
                #expect(failure.text?.contains(words) == true, "\(failure)")
                await sink.close()
            }
        }
    }
}
