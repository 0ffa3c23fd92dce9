import Testing
import TrackEngine
import TrackEngineTestKit

/// The order of the rules about positions, in every state.
@Suite struct PositionPolicyTests {
    /// The state of one thing on which a rule depends.
    private enum Zone: CaseIterable { case none, elsewhere, moves, hides }
    private enum OffPlace: CaseIterable { case none, elsewhere, here }
    private enum Known: CaseIterable { case none, shown, moved, hidden }

    /// A row of the table; what it leaves out may be anything.
    private struct Row {
        var isPaused: Bool?
        var isOff: Bool?
        var zones: Set<Zone>?
        var place: OffPlace?
        var known: Known?
        let admission: PositionPolicy.Outcome
    }

    private static let fix = Road.fix(0, metres: 100)
    private static let moved = Road.fix(0, metres: 150)
    private static let clear: Set<Zone> = [.none, .elsewhere]

    private static func position(_ metres: Double) -> KnownPosition {
        KnownPosition(Road.fix(0, metres: metres).coordinate, horizontalAccuracy: 20)
    }

    private static func known(_ metres: Double) -> Fix {
        let position = position(metres)
        return Fix(
            time: fix.time, coordinate: position.coordinate, horizontalAccuracy: position.horizontalAccuracy)
    }

    /// The first row that fits a state has its admission.
    private static let table = [
        Row(isPaused: true, admission: .withhold(.paused)),
        Row(isOff: true, admission: .withhold(.off)),
        // The true position is hidden: the known one is not used.
        Row(zones: [.hides], admission: .withhold(.hidden)),
        Row(zones: [.moves], place: OffPlace.none, admission: .use(moved, isHidden: true)),
        Row(zones: [.moves], admission: .look(moved, isHidden: true)),
        // It must not be recorded: the known one is not used.
        Row(place: .here, admission: .look(fix, isHidden: false)),
        Row(place: OffPlace.none, known: Known.none, admission: .use(fix, isHidden: false)),
        Row(place: .elsewhere, known: Known.none, admission: .look(fix, isHidden: false)),
        // The known position is hidden.
        Row(known: .hidden, admission: .withhold(.hidden)),
        Row(place: OffPlace.none, known: .moved, admission: .use(moved, isHidden: true)),
        Row(place: .elsewhere, known: .moved, admission: .look(moved, isHidden: true)),
        Row(place: OffPlace.none, known: .shown, admission: .use(known(500), isHidden: false)),
        Row(place: .elsewhere, known: .shown, admission: .look(known(500), isHidden: false)),
    ]

    @Test func `the first rule that applies decides, in every state`() throws {
        for (isPaused, isOff) in [(false, false), (false, true), (true, false), (true, true)] {
            for zone in Zone.allCases {
                for place in OffPlace.allCases {
                    for known in Known.allCases {
                        let row = try #require(
                            Self.table.first {
                                $0.isPaused ?? isPaused == isPaused && $0.isOff ?? isOff == isOff
                                    && $0.zones?.contains(zone) ?? true && $0.place ?? place == place
                                    && $0.known ?? known == known
                            })
                        let rules = Self.rules(isPaused, isOff, zone, place, known)
                        let now = rules.conditions(for: .each(Self.received([100])))
                        let admission = PositionPolicy.admit(Self.fix, under: now, rules)
                        #expect(admission == row.admission, "\(isPaused) \(isOff) \(zone) \(place) \(known)")
                    }
                }
            }
        }
    }

    private static func rules(
        _ isPaused: Bool, _ isOff: Bool, _ zone: Zone, _ place: OffPlace, _ known: Known
    ) -> PositionRules {
        let (shownAt, movedAt, hiddenAt) = (500.0, 600.0, 700.0)
        let hidden = zone == .hides ? [100, hiddenAt] : [hiddenAt]
        let moves = zone == .moves ? [100, movedAt] : [movedAt]
        let needsCover = zone != .none || known == .moved || known == .hidden
        let offPlaces: [Double] =
            switch place {
            case .none: []
            case .elsewhere: [9000]
            case .here: [100, 150]
            }
        let authority: FixedAuthority? =
            switch known {
            case .none: nil
            case .shown: FixedAuthority(position: position(shownAt))
            case .moved: FixedAuthority(position: position(movedAt))
            case .hidden: FixedAuthority(position: position(hiddenAt))
            }
        return rules(
            isPaused: isPaused, gate: isOff || place != .none ? OffPlaces(isClosed: isOff, metres: offPlaces) : nil,
            cover: needsCover ? ListedZones(hidden: hidden, moved: moves, to: moved) : nil, authority: authority)
    }

    private static func rules(
        isLive: Bool = true, isPaused: Bool = false, gate: OffPlaces? = nil, cover: ListedZones? = nil,
        authority: FixedAuthority? = nil
    ) -> PositionRules {
        let pauses = PauseState(watch: MonotonicClock(ContinuousClock()))
        if isPaused { pauses.close(since: fix.time, for: nil, wallClock: fix.time) }
        return PositionRules(
            isLive: isLive, pauses: pauses, gate: gate, privacyFilter: cover, positionOverride: authority)
    }

    private static func admit(_ metres: [Double], under rules: PositionRules) -> PolicyOutcome {
        let received = ReceivedBatch.each(received(metres))
        return PositionPolicy.admit(received, under: rules.conditions(for: received), rules)
    }

    // MARK: Fixes that arrived together

    private static func received(_ metres: [Double]) -> [ReceivedFix] {
        metres.enumerated().map { second, metres in
            let fix = Road.fix(Double(second), metres: metres)
            return ReceivedFix(fix: fix, moment: TrackInstant(fix.time), wallClock: fix.time)
        }
    }

    @Test func `a fix behind hidden ones has a gap before it`() {
        let cover = ListedZones(hidden: [700], moved: [], to: Self.moved)
        let admitted = Self.admit([0, 700, 700, 100, 200, 700], under: Self.rules(cover: cover))
        #expect(admitted.fixes.received.map(\.continuity) == [.follows, .gap, .follows])
        #expect(admitted.next == .gap)
        #expect(admitted.withheld == 3 && admitted.reason == .hidden)
        #expect(admitted.isHidden == true && admitted.lastHidden == Road.fix(5).time)
    }

    @Test func `all fixes of a pause are withheld, and none of them is looked at`() {
        let cover = ListedZones(hidden: [0, 100], moved: [], to: Self.moved)
        let admitted = Self.admit([0, 100], under: Self.rules(isPaused: true, cover: cover))
        #expect(admitted.fixes.count == 0 && admitted.withheld == 2 && admitted.reason == .paused)
        #expect(admitted.isHidden == nil && admitted.next == .follows)
    }

    @Test func `without rules the fixes are used as they are`() {
        let admitted = Self.admit([0, 100], under: Self.rules())
        #expect(admitted.fixes.received == Self.received([0, 100]))
        #expect(admitted.withheld == 0 && admitted.isHidden == nil)
    }

    @Test func `neither a closed gate nor a known position applies to a recording, but a zone does`() {
        let rules = Self.rules(
            isLive: false, isPaused: true, gate: OffPlaces(isClosed: true, metres: []),
            cover: ListedZones(hidden: [700], moved: [], to: Self.moved),
            authority: FixedAuthority(position: Self.position(500)))
        let admitted = Self.admit([0, 700], under: rules)
        #expect(admitted.fixes.received.map(\.fix) == [Road.fix(0, metres: 0)])
        #expect(admitted.withheld == 1 && admitted.reason == .hidden && admitted.position == nil)
    }

    // MARK: Known positions

    @Test func `a leg begins where the object comes to a known position, and where it leaves it`() {
        var policy = PositionPolicy()
        let (depot, yard) = (Self.position(500), Self.position(600))
        #expect(policy.move(to: nil, after: Self.fix) == .follows)
        #expect(policy.move(to: depot, after: Self.fix) == .newLeg(.elsewhere))
        #expect(policy.move(to: depot, after: Self.fix) == .follows)
        #expect(policy.move(to: yard, after: Self.known(500)) == .newLeg(.elsewhere))
        #expect(policy.move(to: nil, after: Self.known(600)) == .newLeg(.elsewhere))
        #expect(policy.move(to: nil, after: Self.fix) == .follows)
    }

    @Test func `a run that begins at the known position where the last one ended begins no leg`() {
        var policy = PositionPolicy()
        #expect(policy.move(to: Self.position(500), after: Self.known(500)) == .follows)
    }
}

/// Hides some points of the road, and moves others.
private struct ListedZones: PrivacyFilter {
    let hidden: [Double]
    let moved: [Double]
    let to: Fix

    func covered(_ fix: Fix) -> Fix? {
        let metres = YardDetector.metres(of: fix)
        return hidden.contains(metres) ? nil : moved.contains(metres) ? to : fix
    }

    init(hidden: [Double], moved: [Double], to fix: Fix) { (self.hidden, self.moved, to) = (hidden, moved, fix) }
}

/// Is closed, or admits no fix at some points of the road.
private struct OffPlaces: RecordingGate {
    let isClosed: Bool
    let metres: [Double]

    func isClosed(at newest: ReceivedFix) -> Bool { isClosed }
    var dependsOnPlaces: Bool { !metres.isEmpty }
    func admits(_ fix: Fix?, _ context: RecordContext?) -> Bool {
        fix.map { !metres.contains(YardDetector.metres(of: $0)) } ?? true
    }
    func note(_ context: RecordContext?, of source: SourceID) {}
    func prepare() async {}
}

/// Knows one position.
private struct FixedAuthority: PositionOverride {
    let position: KnownPosition?
}
