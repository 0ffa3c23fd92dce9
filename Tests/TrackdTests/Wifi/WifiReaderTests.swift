import Synchronization
import TestSupport
import Testing
import TrackEngine
import TrackEngineAgent
import TrackEngineTestKit

/// The gauge, with a reader that the test feeds.
@Suite(.timeLimit(.minutes(30))) struct WifiReaderTests {
    @Test func `nothing is read until somebody wants it`() async throws {
        let bench = try Bench()
        await bench.gauge.look()
        #expect(bench.gauge.reading == .unread && bench.reader.asked == [])
        bench.gauge.read(true, interface: "wlan0")
        await bench.gauge.look()
        #expect(bench.gauge.current?.ssid == "depot" && bench.reader.asked == ["wlan0"])
    }

    @Test func `a reading of another interface is forgotten, and nothing is known of what nobody wants`() async throws {
        let bench = try Bench()
        bench.gauge.read(true, interface: nil)
        await bench.gauge.look()
        bench.gauge.read(true, interface: nil)
        #expect(bench.gauge.current != nil)
        bench.gauge.read(true, interface: "wlan1")
        #expect(bench.gauge.reading == .unread)
        await bench.gauge.look()
        bench.gauge.read(false, interface: "wlan1")
        #expect(bench.gauge.reading == .unread)
    }

    @Test func `it looks at once when it is told to, and then every fifteen seconds`() async throws {
        let bench = try Bench()
        await withTaskGroup(of: Void.self) { group in
            group.addTask { await bench.gauge.run() }
            bench.gauge.read(true, interface: nil)
            await eventually("it has looked") { bench.gauge.current?.ssid == "depot" }
            bench.reader.set(.disconnected)
            await eventually("it looks again") {
                bench.clock.advance(by: .seconds(15))
                return bench.gauge.reading == .disconnected
            }
            group.cancelAll()
        }
    }

    @Test(arguments: [WifiReading.disconnected, .unreadable("no descriptor left")])
    func `a network is left after two readings in a row without one`(_ none: WifiReading) async throws {
        let bench = try Bench()
        let depot = bench.reader.read(nil)
        bench.gauge.read(true, interface: nil)
        for reading in [depot, none, depot, none] {
            bench.reader.set(reading)
            await bench.gauge.look()
            #expect(bench.gauge.current?.ssid == "depot")
        }
        await bench.gauge.look()
        #expect(bench.gauge.reading == none)
    }

    @Test func `what cannot be read is told once`() async throws {
        let bench = try Bench()
        bench.gauge.read(true, interface: nil)
        bench.reader.set(.unreadable("no permission"))
        for _ in 0..<3 { await bench.gauge.look() }
        #expect(bench.log.lines.count { $0.contains("the wireless network cannot be read") } == 1)
        #expect(bench.gauge.current == nil)
    }
}

extension WifiReaderTests {
    /// A gauge on a manual clock.
    private struct Bench {
        let clock = ManualClock()
        let log = CollectedLog()
        let reader: FedReader
        let gauge: WifiReader

        init() throws {
            reader = FedReader(.connected(try #require(WifiNetwork(ssid: "depot"))))
            gauge = WifiReader(logger: log.logger, clock: clock) { [reader] in reader.read($0) }
        }
    }
}

/// Reads what the test says.
final class FedReader: Sendable {
    private let state: Mutex<(reading: WifiReading, asked: [String?])>

    init(_ reading: WifiReading) { state = Mutex((reading, [])) }

    func set(_ reading: WifiReading) { state.withLock { $0.reading = reading } }

    /// The interfaces that were asked for.
    var asked: [String?] { state.withLock { $0.asked } }

    func read(_ interface: String?) -> WifiReading {
        state.withLock { state in
            state.asked.append(interface)
            return state.reading
        }
    }
}
