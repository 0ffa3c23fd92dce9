import Testing
import TrackEngineServer

/// How many connections a server takes.
@Suite struct ConnectionLimitTests {
    /// The most is 1,000 viewers and 256 others.
    @Test(arguments: [
        (1_024, 512), (100, 50), (40, 20), (20, 16), (0, 16), (2_512, 1_256), (4_096, 1_256), (UInt64.max, 1_256),
    ])
    func `At most half of the process's descriptors are connections, and a few always`(
        _ descriptors: UInt64, _ connections: Int
    ) {
        #expect(ServerConfiguration.connectionLimit(descriptors: descriptors) == connections)
    }
}
