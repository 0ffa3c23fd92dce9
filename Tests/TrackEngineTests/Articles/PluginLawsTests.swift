import Testing
import TrackEngine
import TrackEngineTestKit

@Suite(.timeLimit(.minutes(30))) struct PluginLawsTests {
    @Test func `the source keeps the laws of sources`() async throws {
        let good = (1...20).map { "\(1_772_359_200 + $0) 53.5 \($0)" }
        let laws = SourceLaws(
            fixes: 20,
            badInput: { Beacon { BeaconConnection(saying: ["\u{1}?", "1 2"] + good) } },
            make: { Beacon { BeaconConnection(saying: good) } })
        let report = try await laws.report()
        #expect(report.violations == [], "\(report)")
    }

    @Test func `the sink keeps the laws of sinks`() async throws {
        let bench = InMemoryReceiver().bench { receiver, mood in
            Telegram(wire: Wire(receiver: receiver, mood: mood))
        }
        let report = try await SinkLaws(bench).report()
        #expect(report.violations == [], "\(report)")
    }

    @Test func `the store keeps the laws of stores`() async throws {
        let report = try await StoreLaws { InMemoryFixStore() }.report()
        #expect(report.violations == [], "\(report)")
    }

    @Test func `a rest is recorded when it falls due, and nobody waits a minute for it`() async throws {
        let clock = ManualClock()
        let source = FedSource()
        var configuration = Tracker.Configuration(device: "van-7", store: InMemoryFixStore(), sources: [source])
        configuration.clock = clock
        let tracker = try Tracker(configuration: configuration)
        async let run: Void = tracker.run()

        let (place, start) = (Coordinate(latitude: 52.52, longitude: 13.405), Timestamp.now())
        try await source.feed(Fix(time: start, coordinate: place))
        clock.advance(by: .seconds(40))
        try await source.feed(Fix(time: start.advanced(by: .seconds(1)), coordinate: place))
        clock.advance(by: .seconds(30))
        await eventually("the rest is recorded") {
            (try? await tracker.storedRecords().last?.cause) == .still  // unreadable: not recorded
        }
        await tracker.stop()
        try await run
    }
}
