import Testing
import TrackEngine

@Suite struct WaiterListTests {
    @Test func `all waiters are resumed in the order in which they came`() {
        var waiters = WaiterList<Int>()
        for _ in 0..<100 {
            let number = waiters.nextNumber()
            waiters.add(number, number: number)
        }
        #expect(waiters.remove(40) == 40)
        #expect(waiters.removeAll() == (1...100).filter { $0 != 40 })
        #expect(waiters.isEmpty)
    }
}
