import Testing
import TrackEngine

@Suite("Waiting for a flush")
struct FlushQueueTests {
    @Test
    func `a caller may wait before the delivery begins, and none when it has ended`() throws {
        var flushes = FlushQueue<String>()
        let number = flushes.join()
        flushes.add("one", number: try #require(number))
        #expect(flushes.end() == ["one"])
        #expect(flushes.join() == nil)
    }

    @Test
    func `whoever waits is let go when all is sent, and whoever is cancelled alone`() throws {
        var flushes = FlushQueue<String>()
        let (one, other) = (flushes.join(), flushes.join())
        let (first, second) = (try #require(one), try #require(other))
        flushes.add("first", number: first)
        flushes.add("second", number: second)
        #expect(flushes.remove(first) == "first")
        #expect(flushes.remove(first) == nil)
        #expect(flushes.finish() == ["second"])
        #expect(flushes.finish().isEmpty)
    }
}
