import TestSupport
import Testing
import TrackEngine
import TrackEngineHistory
import TrackEngineServer

@Suite("The timeline of a day")
struct TimelineTests {
    private static let midnight = Timestamp(secondsSince1970: 1_772_323_200)

    private static func hour(_ hours: Double) -> Timestamp { midnight.advanced(by: .seconds(hours * 3600)) }

    private static let day = midnight..<hour(24)

    private static func visit(_ arrival: Double, _ departure: Double?) -> HistoryEvent {
        HistoryEvent(
            Visit(
                id: EventID(device: "van", kind: .visit, beginning: hour(arrival)),
                centre: Coordinate(latitude: 53.5, longitude: 10), radius: 30, arrival: hour(arrival),
                departure: departure.map(hour)))
    }

    private static func trip(
        _ begin: Double, _ end: Double?, _ mode: TripMode = .car, distance: Double = 8_000
    ) -> HistoryEvent {
        func terminus(_ hours: Double) -> Trip.End {
            Trip.End(time: hour(hours), coordinate: Coordinate(latitude: 53.5, longitude: 10))
        }
        return HistoryEvent(
            Trip(
                id: EventID(device: "van", kind: .trip, beginning: hour(begin)), mode: mode, start: terminus(begin),
                end: end.map(terminus), distance: distance, movingTime: .seconds(1_800), startedBy: .automatic))
    }

    private static func summary(_ events: [HistoryEvent], now: Double = 48, of span: Range<Timestamp> = day)
        -> DaySummary
    {
        let timed = TimelineEvent.timed(events, now: hour(now)).filter { $0.overlaps(span) }
        return DaySummary(span: span, events: timed, transitions: [], now: hour(now))
    }

    /// `stop 0-8 | moving 8-9 | gap 9-24`.
    private static func words(_ timeline: Timeline) -> String {
        timeline.segments.map { segment in
            let kind =
                switch segment.event?.content {
                case .visit: "stop"
                case .trip: "moving"
                case _: "gap"
                }
            let bounds = [segment.times.lowerBound, segment.times.upperBound].map { time in
                let hours = (time.duration(since: midnight) / .seconds(36)).rounded() / 100
                return hours == hours.rounded() ? "\(Int(hours))" : "\(hours)"
            }
            return "\(kind) \(bounds[0])-\(bounds[1])"
        }.joined(separator: " | ")
    }

    @Test func `A day is filled from midnight to midnight, and what reaches beyond is cut`() {
        let events = [
            Self.visit(-9, 8), Self.trip(8, 8.5), Self.visit(8.5, 16), Self.trip(17, 17.5), Self.visit(17.5, 31),
        ]
        let summary = Self.summary(events)
        #expect(
            Self.words(summary.timeline)
                == "stop 0-8 | moving 8-8.5 | stop 8.5-16 | gap 16-17 | moving 17-17.5 | stop 17.5-24")
        #expect(summary.events.map(\.times.lowerBound).first == Self.hour(-9))
    }

    @Test func `Without an event a day is one gap, as far as it has come`() {
        #expect(Self.words(Self.summary([]).timeline) == "gap 0-24")
        #expect(Self.words(Self.summary([], now: 7).timeline) == "gap 0-7")
        #expect(Self.summary([], now: -1).timeline.segments.isEmpty)
    }

    @Test func `What lasts reaches to now, or to where the next one begins`() {
        #expect(Self.words(Self.summary([Self.visit(6, nil)], now: 9).timeline) == "gap 0-6 | stop 6-9")
        let lost = [Self.visit(6, nil), Self.trip(8, nil), Self.visit(10, nil), Self.visit(11, nil)]
        #expect(
            Self.words(Self.summary(lost, now: 12).timeline)
                == "gap 0-6 | stop 6-8 | moving 8-10 | stop 10-11 | stop 11-12")
        // A clock that is behind.
        #expect(Self.words(Self.summary([Self.visit(6, nil)], now: 5).timeline) == "gap 0-5")
    }

    @Test func `A visit that another one ended before the day is not in it`() {
        let events = [Self.visit(-40, nil), Self.trip(-20, -19), Self.visit(-19, 3)]
        #expect(Self.words(Self.summary(events).timeline) == "stop 0-3 | gap 3-24")
    }

    @Test func `A stop during a trip by hand interrupts it, and it goes on afterwards`() {
        let events = [Self.trip(8, 12), Self.visit(9, 10)]
        #expect(
            Self.words(Self.summary(events).timeline) == "gap 0-8 | moving 8-9 | stop 9-10 | moving 10-12 | gap 12-24")
    }

    @Test func `A trip over midnight belongs to both days, with its part of the way in each`() {
        let events = [Self.trip(23, 25, distance: 8_000)]
        let tomorrow = Self.hour(24)..<Self.hour(48)
        let both = [Self.day, tomorrow].map { Self.summary(events, of: $0) }
        #expect(both.map { Self.words($0.timeline) } == ["gap 0-23 | moving 23-24", "moving 24-25 | gap 25-48"])
        for summary in both {
            #expect(summary.events.map(\.event) == events)
            #expect(summary.modes.sums.map(\.distance) == [4_000])
            #expect(summary.modes.sums.map(\.moving) == [.seconds(900)])
            #expect(summary.modes.sums.map(\.trips) == [1])
        }
        let json = both.map { String(decoding: $0.json, as: UTF8.self) }
        #expect(json[0].contains(#""startsBefore":false,"endsAfter":true"#))
        #expect(json[1].contains(#""startsBefore":true,"endsAfter":false"#))
    }

    @Test func `Modes are told with the longest way first`() {
        let events = [
            Self.trip(1, 2, .walk, distance: 900), Self.trip(3, 4, .car), Self.trip(5, 6, .car),
            Self.trip(7, 7, .boat, distance: 10),
        ]
        let sums = Self.summary(events).modes.sums
        #expect(sums.map(\.mode) == [.car, .walk, .boat])
        #expect(sums.map(\.trips) == [2, 1, 1])
        #expect(sums.map(\.distance) == [16_000, 900, 10])
    }

    /// A day cut by chance into stops, ways and nothing, with what is laid over it.
    @Test(arguments: 1...20)
    func `Segments join without overlap, whatever the events are`(_ seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let events = (0..<30).map { _ in
            let begin = Double.random(in: -10...30, using: &random)
            let end = Bool.random(using: &random) ? begin + Double.random(in: 0...6, using: &random) : nil
            return Bool.random(using: &random) ? Self.visit(begin, end) : Self.trip(begin, end)
        }
        let segments = Self.summary(events, now: Double.random(in: 5...50, using: &random)).timeline.segments
        #expect(segments.first?.times.lowerBound == Self.midnight)
        for (one, next) in zip(segments, segments.dropFirst()) {
            #expect(one.times.upperBound == next.times.lowerBound)
            #expect(one.event != next.event)
        }
        for segment in segments {
            #expect(!segment.times.isEmpty)
            guard let event = segment.event else { continue }
            #expect(event.begin <= segment.times.lowerBound)
            #expect(event.end.map { $0 >= segment.times.upperBound } ?? true)
        }
    }
}
