import Testing
import TrackEngine
import TrackEngineGPSD

@Suite("The queue between gpsd's thread and the engine")
struct FixQueueTests {
    private func fix(_ second: Int64) -> Fix {
        Fix(time: Timestamp(secondsSince1970: second), coordinate: Coordinate(latitude: 1, longitude: 2))
    }

    @Test
    func `all that waits comes at once and in order`() async {
        let queue = FixQueue<Fix>(capacity: 10)
        for second in 1...3 { #expect(!queue.post(fix(Int64(second)))) }
        #expect(await queue.next() == [fix(1), fix(2), fix(3)])
    }

    @Test
    func `when it is full the oldest goes`() async {
        let queue = FixQueue<Fix>(capacity: 2)
        #expect((1...4).map { queue.post(fix($0)) } == [false, false, true, true])
        #expect(await queue.next() == [fix(3), fix(4)])
    }

    @Test
    func `the end wakes a waiting consumer, and posting after it does nothing`() async {
        let queue = FixQueue<Fix>(capacity: 2)
        async let waiting = queue.next()
        queue.finish()
        #expect(await waiting == nil)
        #expect(!queue.post(fix(1)))
        #expect(await queue.next() == nil)
    }
}
