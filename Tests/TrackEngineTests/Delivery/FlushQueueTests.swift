import Testing
import TrackEngine

@Suite("Waiting for a flush")
struct FlushQueueTests {
    @Test("nobody waits for a drain that does not run")
    func closed() {
        var flushes = FlushQueue<String>()
        #expect(flushes.join() == nil)
        flushes.open()
        #expect(flushes.join() != nil)
        #expect(flushes.close().isEmpty)
        #expect(flushes.join() == nil)
    }

    @Test("whoever waits is let go when all is sent, and whoever is cancelled alone")
    func finished() throws {
        var flushes = FlushQueue<String>()
        flushes.open()
        let (one, other) = (flushes.join(), flushes.join())
        let (first, second) = (try #require(one), try #require(other))
        flushes.add("first", number: first)
        flushes.add("second", number: second)
        #expect(flushes.remove(first) == "first")
        #expect(flushes.remove(first) == nil)
        #expect(flushes.finish() == ["second"])
        #expect(flushes.finish().isEmpty)
    }

    @Test("an abandoned flush lets everybody go, and no other begins")
    func abandoned() throws {
        var flushes = FlushQueue<String>()
        flushes.open()
        let number = flushes.join()
        flushes.add("one", number: try #require(number))
        #expect(flushes.abandon() == ["one"])
        #expect(flushes.join() == nil)
        flushes.open()
        #expect(flushes.join() == nil)
    }
}
