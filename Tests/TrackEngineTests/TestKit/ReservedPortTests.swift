import Glibc
import TestSupport
import Testing

@Suite("Ports that tests reserve")
struct ReservedPortTests {
    @Test
    func `Nobody gets a port that is reserved, and one that was given up does not come again at once`() throws {
        let ports = try (1...40).map { _ in try ReservedPort() }
        let numbers = Set(ports.map(\.number))
        #expect(numbers.count == ports.count)
        var given: ReservedPort? = try ReservedPort()
        let number = given?.number
        given = nil
        let next = try ReservedPort()
        #expect(next.number != number)
        #expect(!numbers.contains(next.number))
        withExtendedLifetime(ports) {}
    }

    @Test
    func `A port that a program uses without asking is left out`() async throws {
        let stranger = try ReservedPort()
        let (before, after) = (stranger.number - 2, stranger.number + 200)
        let listener = try LoopbackSocket.listen(at: .ipv4(stranger.number), backlog: 1)
        defer { close(listener) }
        try await TestEnvironment.withTemporaryDirectory { folder in
            let ports = try (1...20).compactMap { _ in
                try ReservedPort(among: before...after, registry: folder + "/ports").number
            }
            #expect(!ports.contains(stranger.number))
            #expect(!ports.isEmpty)
        }
    }

    @Test
    func `A reserved port refuses connections until its owner listens, and can be bound again at once`() throws {
        let port = try ReservedPort()
        for _ in 1...3 {
            #expect(!LoopbackSocket.accepts(at: .ipv4(port.number)))
            let listener = try LoopbackSocket.listen(at: .ipv4(port.number), backlog: 1)
            #expect(LoopbackSocket.accepts(at: .ipv4(port.number)))
            close(listener)
        }
    }
}
