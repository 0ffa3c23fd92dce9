import Testing
import TrackEngine
import TrackEngineHTTP
import TrackEngineTestKit

/// A row of the table: the bytes of a reply, and what the drain is told.
struct HostileReply: Sendable, CustomTestStringConvertible {
    let name: String
    let bytes: [UInt8]
    let reason: String
    var closes = true

    init(_ name: String, _ text: String, _ reason: String, closes: Bool = true) {
        (self.name, bytes, self.reason, self.closes) = (name, Array(text.utf8), reason, closes)
    }

    var testDescription: String { name }

    static let body = "Content-Length: 2\r\n\r\nhi"

    static let all: [HostileReply] = [
        HostileReply("000", "HTTP/1.1 000 OK\r\n\(body)", "status 0, expected"),
        HostileReply("001", "HTTP/1.1 001 OK\r\n\(body)", "status 1, expected"),
        HostileReply("099", "HTTP/1.1 099 OK\r\n\(body)", "status 99, expected"),
        HostileReply(
            "000 in pieces", "HTTP/1.1 000 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nhi\r\n0\r\n\r\n",
            "status 0, expected"),
        HostileReply("000 without a body", "HTTP/1.1 000 OK\r\nContent-Length: 0\r\n\r\n", "status 0, expected"),
        HostileReply("600", "HTTP/1.1 600 Odd\r\n\(body)", "HTTP 600 is no final answer"),
        HostileReply("999", "HTTP/1.1 999 Odd\r\n\(body)", "HTTP 999 is no final answer"),
        HostileReply("1000", "HTTP/1.1 1000 OK\r\n\(body)", "is not HTTP"),
        HostileReply("a negative status", "HTTP/1.1 -20 OK\r\n\(body)", "is not HTTP"),
        HostileReply("no status", "HTTP/1.1 \r\n\(body)", "is not HTTP"),
        HostileReply("a status of letters", "HTTP/1.1 OK OK\r\n\(body)", "is not HTTP"),
        HostileReply(
            "a huge field", "HTTP/1.1 200 OK\r\nX: \(String(repeating: "x", count: 200_000))\r\n\(body)", "is not HTTP"),
        HostileReply(
            "a million fields",
            "HTTP/1.1 200 OK\r\n" + String(repeating: "X: y\r\n", count: 100_000) + body, "is not HTTP"),
        HostileReply("NUL in a field", "HTTP/1.1 200 OK\r\nX: a\0b\r\n\(body)", "is not HTTP"),
        HostileReply("nothing but NUL", String(repeating: "\0", count: 4096), "is not HTTP"),
        HostileReply(
            "a flood of interim replies", String(repeating: "HTTP/1.1 100 Continue\r\n\r\n", count: 10_000),
            "more than 16 interim responses"),
        HostileReply(
            "a switch of protocols", "HTTP/1.1 101 Switching\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\n{}",
            "an unrequested switch of protocols"),
        HostileReply("an early end", "HTTP/1.1 200 OK\r\nContent-Length: 20\r\n\r\nhi", "is not HTTP"),
        HostileReply(
            "a body longer than announced", "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}{\"result\":\"ok\"}",
            "without result ok"),
        HostileReply(
            "two lengths", "HTTP/1.1 200 OK\r\nContent-Length: 2\r\nContent-Length: 3\r\n\r\nhi!", "is not HTTP"),
        HostileReply("a negative length", "HTTP/1.1 200 OK\r\nContent-Length: -2\r\n\r\nhi", "is not HTTP"),
        HostileReply(
            "an endless length", "HTTP/1.1 200 OK\r\nContent-Length: 99999999999999999999999\r\n\r\nhi", "is not HTTP"),
        HostileReply(
            "broken chunks", "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\nhi\r\n", "is not HTTP"),
        HostileReply(
            "a chunk of 2^63 bytes",
            "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n8000000000000000\r\nhi\r\n", "is not HTTP"),
        HostileReply("nothing", "", "closed the connection"),
        HostileReply("half a status line, then silence", "HTTP/1.1 2", "no complete reply", closes: false),
        HostileReply(
            "half a body, then silence", "HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhi", "no complete", closes: false),
    ]
}

@Suite("Replies that are no replies", .serialized, .timeLimit(.minutes(30)))
struct HostileReplyTests {
    private func outcome(_ server: RawServer, timeout: Duration) async throws -> Result<Receipt, DeliveryError> {
        let sink = try OverlandSink(
            id: "home", configuration: Samples.configuration(server.url) { $0.httpTimeout = timeout })
        let result: Result<Receipt, DeliveryError>
        do throws(DeliveryError) {
            result = .success(try await sink.deliver(RecordBatch(records: [SampleRecords.record(1)])))
        } catch { result = .failure(error) }
        await sink.close()
        return result
    }

    @Test(arguments: HostileReply.all)
    func `such a reply is one error that is tried again`(_ row: HostileReply) async throws {
        let server = try RawServer(row.bytes, closes: row.closes)
        defer { server.stop() }
        let result = try await outcome(server, timeout: row.closes ? .seconds(30) : .milliseconds(500))
        guard case .failure(let error) = result else { return #expect(Bool(false), "settled") }
        #expect(error.reason.contains(row.reason), "\(error.reason)")
        switch error.recovery {
        case .retry: break
        case .smaller, .rejected, .needsOperator: Issue.record("\(error.recovery)")
        }
    }

    @Test func `interim replies before a final one are passed over`() async throws {
        let text = "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nLink: x\r\n\r\nHTTP/1.1 200 OK\r\n"
        let server = try RawServer(Array("\(text)Content-Length: 15\r\n\r\n{\"result\":\"ok\"}".utf8))
        defer { server.stop() }
        #expect(try await outcome(server, timeout: .seconds(30)) == .success(Receipt(settled: 1)))
    }

    @Test func `replies with bytes changed, cut, doubled and swapped never end the process`() async throws {
        let valid = "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 15\r\n\r\n{\"result\":\"ok\"}"
        let chunked = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nf\r\n{\"result\":\"ok\"}\r\n0\r\n\r\n"
        let server = try RawServer()
        defer { server.stop() }
        let sink = try OverlandSink(
            id: "home", configuration: Samples.configuration(server.url) { $0.httpTimeout = .seconds(30) })
        var random = Mutation(seed: 20_260_301)
        var ends: Set<String> = []
        for _ in 0..<300 {
            server.answer(with: random.mutated(Array((random.draws(2) == 0 ? valid : chunked).utf8)))
            do throws(DeliveryError) {
                let receipt = try await sink.deliver(RecordBatch(records: [SampleRecords.record(1)]))
                #expect(receipt == Receipt(settled: 1))
                ends.insert("settled")
            } catch { ends.insert("\(error.recovery)") }
        }
        await sink.close()
        #expect(ends.count > 1, "the mutations make a difference")
    }
}

/// Seeded changes of bytes; a linear congruential generator is enough to vary them.
private struct Mutation {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    mutating func draws(_ bound: Int) -> Int {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return Int((state >> 33) % UInt64(max(1, bound)))
    }

    mutating func mutated(_ bytes: [UInt8]) -> [UInt8] {
        var bytes = bytes
        for _ in 0...draws(4) {
            let place = draws(bytes.count)
            switch draws(6) {
            case 0 where !bytes.isEmpty: bytes[place] = UInt8(draws(256))
            case 1 where !bytes.isEmpty: bytes.remove(at: place)
            case 2: bytes.insert(UInt8(draws(256)), at: min(place, bytes.count))
            case 3: bytes.removeLast(min(bytes.count, draws(20)))
            case 4 where bytes.count > 20: bytes.insert(contentsOf: bytes[..<20], at: place)
            default:
                // The status line is where a parser is most easily misled.
                if bytes.count > 12 { bytes[9 + draws(3)] = UInt8(ascii: "0") + UInt8(draws(10)) }
            }
        }
        return bytes
    }
}
