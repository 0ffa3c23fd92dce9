import Testing
import TrackEngine

@Suite struct TurnQueueTests {
    @Test
    func `one at a time, in the order of arrival`() {
        var turns = TurnQueue<Int>()
        #expect(turns.take() == true)
        #expect(turns.take() == false)
        turns.wait(1)
        turns.wait(2)
        #expect(turns.leave() == 1)
        #expect(turns.take() == false, "the turn is the waiter's, not whose call comes first")
        turns.wait(3)
        #expect(turns.leave() == 2)
        #expect(turns.leave() == 3)
        #expect(turns.leave() == nil)
        #expect(turns.take() == true)
    }

    /// A processor: awaits within its turn, and nobody else comes in between.
    private actor Room {
        private var turns = TurnQueue<CheckedContinuation<Void, Never>>()
        private var inside = 0
        private(set) var most = 0
        private(set) var visits = 0

        func visit() async {
            if !turns.take() { await withCheckedContinuation { turns.wait($0) } }
            inside += 1
            most = max(most, inside)
            visits += 1
            await Task.yield()
            inside -= 1
            turns.leave()?.resume()
        }
    }

    @Test
    func `an actor that awaits within a turn lets nobody else in`() async {
        let room = Room()
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<100 { group.addTask { await room.visit() } }
        }
        #expect(await room.most == 1)
        #expect(await room.visits == 100)
    }
}
