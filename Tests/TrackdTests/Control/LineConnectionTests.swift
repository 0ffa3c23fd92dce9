import Foundation
import NIOCore
import NIOPosix
import Testing
import TrackEngineAgent

/// Lines over one end of a pair of sockets; the test holds the other end.
@Suite struct LineConnectionTests {
    @Test func `lines come one by one, and a last one that is cut off does not count`() async throws {
        try await withPair { lines, other in
            send("one\n\ntwo\nthr", other)
            shutdown(other, Int32(SHUT_WR))
            #expect(await read(lines) == .success("one"))
            #expect(await read(lines) == .success(""))
            #expect(await read(lines) == .success("two"))
            #expect(await read(lines) == .success(nil))
            #expect(await read(lines) == .success(nil))
        }
    }

    @Test(arguments: [16, 17])
    func `a line has its limit, whether its end has come or not`(_ length: Int) async throws {
        for ending in ["\n", ""] {
            try await withPair { lines, other in
                send(String(repeating: "x", count: length) + ending, other)
                shutdown(other, Int32(SHUT_WR))
                let line = ending.isEmpty ? nil : String(repeating: "x", count: length)
                #expect(await read(lines) == (length == 16 ? .success(line) : .failure(.tooLong)))
            }
        }
    }

    @Test func `a client that has gone has its request read all the same`() async throws {
        try await withPair { lines, other in
            send("sync\n", other)
            hangUp(other)
            #expect(await read(lines) == .success("sync"))
            #expect(await read(lines) == .success(nil))
        }
    }

    @Test func `what is on its way is read after the end of the input`() async throws {
        try await withPair { lines, other in
            send("status\n", other)
            lines.endInput()
            #expect(await read(lines) == .success("status"))
            #expect(await read(lines) == .success(nil))
            try await lines.write(Array("running\n".utf8), within: .seconds(60))
            var answer = [UInt8](repeating: 0, count: 64)
            #expect(recv(other, &answer, answer.count, 0) == 8)
        }
    }

    @Test func `a line that does not come, or is not taken, has its time`() async throws {
        try await withPair { lines, other in
            send("never en", other)
            await #expect(throws: LineConnection.Failure.timedOut) {
                _ = try await lines.readLine(within: .milliseconds(20))
            }
        }
        try await withPair { lines, _ in
            await #expect(throws: LineConnection.Failure.timedOut) {
                try await lines.write([UInt8](repeating: 1, count: 8_388_608), within: .milliseconds(50))
            }
        }
    }

    /// The kernel calls a socket writable again when three quarters of its buffer are free: at this reader's pace that is
    /// after the limit.
    @Test func `a slow reader is no silent one`() async throws {
        try await withPair { lines, other in
            async let reading: Void = readSlowly(262_144, from: other)
            defer { shutdown(other, Int32(SHUT_RDWR)) }  // ends the reader where the write fails
            try await lines.write([UInt8](repeating: 1, count: 262_144), within: .seconds(4))
            await reading
        }
    }

    /// Reads so many bytes at 25 kB/s, or until the connection ends, on a thread that no other test holds up.
    private func readSlowly(_ count: Int, from descriptor: Int32) async {
        await withCheckedContinuation { continuation in
            Thread.detachNewThread {
                var bytes = [UInt8](repeating: 0, count: 1024)
                var rest = count
                while rest > 0 {
                    let taken = recv(descriptor, &bytes, min(rest, bytes.count), 0)
                    guard taken > 0 else { break }
                    rest -= taken
                    usleep(40_000)  // the pace of a slow line
                }
                continuation.resume()
            }
        }
    }

    @Test func `whoever waits is told that the other side has gone`() async throws {
        try await withPair { lines, other in
            let writing = Task { try await lines.write([UInt8](repeating: 1, count: 8_388_608), within: .seconds(600)) }
            hangUp(other)
            await #expect(throws: LineConnection.Failure.disconnected) { try await writing.value }
        }
    }

    @Test func `cancellation ends a wait`() async throws {
        try await withPair { lines, _ in
            let reading = Task { try await lines.readLine(within: .seconds(600)) }
            reading.cancel()
            await #expect(throws: LineConnection.Failure.cancelled) { try await reading.value }
        }
    }

    // MARK: Arranging

    private func withPair(_ body: (LineConnection, Int32) async throws -> Void) async throws {
        var pair: [Int32] = [-1, -1]
        try #require(socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0, &pair) == 0)
        let (ours, theirs) = (pair[0], pair[1])
        defer { close(theirs) }
        try await MultiThreadedEventLoopGroup.withEventLoopGroup(numberOfThreads: 1) { loop in
            let lines = try await ClientBootstrap(group: loop)
                .channelOption(.autoRead, value: false)
                .channelOption(.maxMessagesPerRead, value: 1)
                .channelOption(.allowRemoteHalfClosure, value: true)
                .withConnectedSocket(ours) { channel in
                    channel.eventLoop.makeCompletedFuture { try LineConnection(channel, longestLine: 16) }
                }
            try await body(lines, theirs)
        }
    }

    private func read(_ lines: LineConnection) async -> Result<String?, LineConnection.Failure> {
        do throws(LineConnection.Failure) {
            return .success(try await lines.readLine(within: .seconds(60)).map { String(decoding: $0, as: UTF8.self) })
        } catch {
            return .failure(error)
        }
    }

    /// Closes the socket; the number stays taken, so that nobody else's descriptor is closed in the end.
    private func hangUp(_ descriptor: Int32) {
        let nothing = open("/dev/null", O_RDONLY | O_CLOEXEC)
        #expect(dup2(nothing, descriptor) == descriptor)
        close(nothing)
    }

    private func send(_ text: String, _ descriptor: Int32) {
        let bytes = Array(text.utf8)
        #expect(Foundation.send(descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL)) == bytes.count)
    }
}
