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
        let admission: PositionPolicy.Admission
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
                        let now = Self.conditions(isPaused, isOff, zone, place, known)
                        let admission = PositionPolicy.admit(Self.fix, under: now)
                        #expect(admission == row.admission, "\(isPaused) \(isOff) \(zone) \(place) \(known)")
                    }
                }
            }
        }
    }

    private static func conditions(
        _ isPaused: Bool, _ isOff: Bool, _ zone: Zone, _ place: OffPlace, _ known: Known
    ) -> PositionPolicy.Conditions {
        let (shownAt, movedAt, hiddenAt) = (500.0, 600.0, 700.0)
        let hidden = zone == .hides ? [100, hiddenAt] : [hiddenAt]
        let moves = zone == .moves ? [100, movedAt] : [movedAt]
        let cover = ListedZones(hidden: hidden, moved: moves, to: moved)
        let needsCover = zone != .none || known == .moved || known == .hidden
        return PositionPolicy.Conditions(
            isPaused: isPaused, isOff: isOff,
            position: known == .none ? nil : position(known == .shown ? shownAt : known == .moved ? movedAt : hiddenAt),
            gate: place == .none ? nil : OffPlaces(metres: place == .here ? [100, 150] : [9000]),
            cover: needsCover ? cover : nil)
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
        let admitted = PositionPolicy.admit(
            Self.received([0, 700, 700, 100, 200, 700]), under: PositionPolicy.Conditions(cover: cover))
        #expect(admitted.fixes.map(\.continuity) == [.follows, .gap, .follows])
        #expect(admitted.next == .gap)
        #expect(admitted.withheld == 3 && admitted.reason == .hidden)
        #expect(admitted.isHidden == true && admitted.lastHidden == Road.fix(5).time)
    }

    @Test func `all fixes of a pause are withheld, and none of them is looked at`() {
        let cover = ListedZones(hidden: [0, 100], moved: [], to: Self.moved)
        let admitted = PositionPolicy.admit(
            Self.received([0, 100]), under: PositionPolicy.Conditions(isPaused: true, cover: cover))
        #expect(admitted.fixes.isEmpty && admitted.withheld == 2 && admitted.reason == .paused)
        #expect(admitted.isHidden == nil && admitted.next == .follows)
    }

    @Test func `without rules the fixes are used as they are`() {
        let received = Self.received([0, 100])
        let admitted = PositionPolicy.admit(received, under: PositionPolicy.Conditions())
        #expect(admitted.fixes == received && admitted.withheld == 0 && admitted.isHidden == nil)
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
private struct ListedZones: PositionCover {
    let hidden: [Double]
    let moved: [Double]
    let to: Fix

    func covered(_ fix: Fix) -> Fix? {
        let metres = YardDetector.metres(of: fix)
        return hidden.contains(metres) ? nil : moved.contains(metres) ? to : fix
    }

    init(hidden: [Double], moved: [Double], to fix: Fix) { (self.hidden, self.moved, to) = (hidden, moved, fix) }
}

/// Admits no fix at some points of the road.
private struct OffPlaces: RecordingGate {
    let metres: [Double]

    var isClosed: Bool { false }
    func isClosed(at newest: ReceivedFix) -> Bool { false }
    var dependsOnPlaces: Bool { true }
    func admits(_ fix: Fix?, _ context: RecordContext?) -> Bool {
        fix.map { !metres.contains(YardDetector.metres(of: $0)) } ?? true
    }
    func note(_ context: RecordContext?, of source: SourceID) {}
    func prepare() async {}
}
