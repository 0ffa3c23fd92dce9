import Glibc
import Testing
import TrackEngine
import TrackEnginePlaces

/// What people have put right, over events that were found, and found again.
@Suite struct CorrectionLogTests {
    private static func time(_ minutes: Int) -> Timestamp {
        Timestamp(secondsSince1970: 1_772_359_200 + Int64(minutes) * 60)
    }

    private static func id(_ kind: RecordKind, _ minutes: Int) -> EventID {
        EventID(device: "van-7", kind: kind, beginning: time(minutes))
    }

    private static func visit(_ from: Int, _ to: Int?, east: Double = 10, place: String? = nil) -> Visit {
        Visit(
            id: id(.visit, from), centre: Coordinate(latitude: 53, longitude: east), radius: 30, arrival: time(from),
            departure: to.map(time), place: place.map { PlaceName(id: $0, name: $0) })
    }

    private static func trip(_ from: Int, _ to: Int, _ metres: Double) -> Trip {
        Trip(
            id: id(.trip, from), mode: .car,
            start: Trip.End(time: time(from), coordinate: Coordinate(latitude: 53, longitude: 10)),
            end: Trip.End(time: time(to), coordinate: Coordinate(latitude: 53, longitude: 11)), distance: metres,
            movingTime: .seconds((to - from) * 60), topSpeed: metres / 1000, climb: 5, startedBy: .automatic,
            endedBy: .automatic)
    }

    /// A visit, a trip, a short visit, a trip, a visit.
    private static let visits = [visit(0, 60), visit(90, 95, east: 10.5), visit(130, nil, east: 11)]
    private static let trips = [trip(60, 90, 20_000), trip(95, 130, 25_000)]

    private static func book(_ orders: Correction...) throws -> CorrectionLog {
        var book = CorrectionLog()
        for order in orders { try book.take(.correct(order)) }
        return book
    }

    private static func corrected(_ book: CorrectionLog) -> (visits: [Visit], trips: [Trip]) {
        book.corrected(visits: visits.reversed(), trips: trips.reversed())
    }

    private static func of(_ visit: Visit, _ change: Correction.Change) -> Correction {
        Correction(kind: .visit, id: visit.id, from: visit.arrival, to: visit.departure, change)
    }

    private static func of(_ trip: Trip, _ change: Correction.Change) -> Correction {
        Correction(kind: .trip, id: trip.id, from: trip.start.time, to: trip.end?.time, change)
    }

    @Test func `without corrections events are as found, in the order of time`() {
        let shown = Self.corrected(CorrectionLog())
        #expect(shown.visits == Self.visits)
        #expect(shown.trips == Self.trips)
    }

    @Test func `a visit gets a name and keeps the rest; the last name counts`() throws {
        let first = Self.of(Self.visits[1], .rename("Baker"))
        let book = try Self.book(first, Self.of(Self.visits[1], .rename("Chemist")))
        #expect(book.corrections.count == 1)
        let shown = Self.corrected(book).visits
        #expect(shown[1].place == PlaceName(id: "", name: "Chemist"))
        #expect(shown[1].arrival == Self.visits[1].arrival && shown[1].id == Self.visits[1].id)
        #expect(shown[0] == Self.visits[0] && shown[2] == Self.visits[2])
    }

    @Test func `a name that is given keeps the id of the place that was found`() throws {
        let found = Self.visit(0, 60, place: "home")
        let book = try Self.book(Self.of(found, .rename("Grandma")))
        #expect(book.corrected(visits: [found], trips: []).visits[0].place == PlaceName(id: "home", name: "Grandma"))
    }

    @Test func `a trip gets another mode, and an event that never was is gone`() throws {
        let book = try Self.book(Self.of(Self.trips[0], .mode(.bus)), Self.of(Self.visits[1], .reject))
        let shown = Self.corrected(book)
        #expect(shown.trips.map(\.mode) == [.bus, .car])
        #expect(shown.visits == [Self.visits[0], Self.visits[2]])
    }

    @Test func `joined trips add up, and the stay between them is gone`() throws {
        let book = try Self.book(Self.of(Self.trips[0], .merge(upTo: Self.trips[1].start.time)))
        let shown = Self.corrected(book)
        let joined = try #require(shown.trips.first)
        #expect(shown.trips.count == 1)
        #expect(joined.id == Self.trips[0].id && joined.end == Self.trips[1].end)
        #expect(joined.distance == 45_000 && joined.movingTime == .seconds(65 * 60))
        #expect(joined.topSpeed == 25 && joined.climb == 10)
        #expect(shown.visits == [Self.visits[0], Self.visits[2]])
    }

    @Test func `joined visits lie between their centres by how long each was, and reach over both`() throws {
        let (first, second) = (Self.visit(0, 60), Self.visit(61, 81, east: 10.004))
        let book = try Self.book(Self.of(first, .merge(upTo: second.arrival)))
        let joined = try #require(
            book.corrected(visits: [first, second], trips: [Self.trip(60, 61, 250)]).visits.first)
        #expect(abs(joined.centre.longitude - 10.001) < 1e-9)
        #expect(joined.centre.distance(to: first.centre) + 30 <= joined.radius)
        #expect(joined.centre.distance(to: second.centre) + 30 <= joined.radius + 1e-9)
        #expect(joined.arrival == first.arrival && joined.departure == second.departure)
        #expect(book.corrected(visits: [first, second], trips: [Self.trip(60, 61, 250)]).trips.isEmpty)
    }

    @Test func `visits that are joined with the present one last`() throws {
        let book = try Self.book(Self.of(Self.visits[1], .merge(upTo: Self.visits[2].arrival)))
        let shown = Self.corrected(book).visits
        #expect(shown.map(\.departure) == [Self.visits[0].departure, nil])
        #expect(Self.corrected(book).trips == [Self.trips[0]])
    }

    @Test func `centres on both sides of the antimeridian are joined between them, not on the other side of the earth`()
        throws
    {
        let (first, second) = (Self.visit(0, 60, east: 179.999), Self.visit(60, 120, east: -179.999))
        let book = try Self.book(Self.of(first, .merge(upTo: second.arrival)))
        let joined = try #require(book.corrected(visits: [first, second], trips: []).visits.first)
        #expect(abs(abs(joined.centre.longitude) - 180) < 1e-6)
        #expect(joined.radius < 200)
    }

    @Test func `a trip is divided where somebody says, and its parts are the whole`() throws {
        let point = Correction.SplitPoint(coordinate: Coordinate(latitude: 53.2, longitude: 10.1), distance: 5_000)
        let book = try Self.book(Self.of(Self.trips[0], .split(at: Self.time(70), point)))
        let parts = Self.corrected(book).trips.prefix(2)
        #expect(parts.map(\.distance) == [5_000, 15_000])
        #expect(parts[0].end?.coordinate == point.coordinate && parts[1].start.coordinate == point.coordinate)
        #expect(parts[0].end?.time == Self.time(70) && parts[1].start.time == Self.time(70))
        #expect(parts[0].id == Self.trips[0].id && parts[1].id != Self.trips[0].id)
        #expect(parts[0].movingTime + parts[1].movingTime == Self.trips[0].movingTime)
        #expect(parts[1].end == Self.trips[0].end)
    }

    @Test func `without a point a trip is divided by the time`() throws {
        let book = try Self.book(Self.of(Self.trips[0], .split(at: Self.time(66), nil)))
        let parts = Self.corrected(book).trips.prefix(2)
        #expect(abs(parts[0].distance - 4_000) < 1e-6)
        #expect(abs((parts[0].end?.coordinate.longitude ?? 0) - 10.2) < 1e-9)
    }

    @Test func `a part can be put right like any other, and undoing it makes one of them again`() throws {
        var book = try Self.book(Self.of(Self.visits[0], .split(at: Self.time(30), nil)))
        let second = Self.corrected(book).visits[1]
        try book.take(.correct(Self.of(second, .rename("Garden"))))
        #expect(Self.corrected(book).visits[1].place?.name == "Garden")
        try book.take(.undo(.visit, second.id))
        #expect(Self.corrected(book).visits == Self.visits)
    }

    @Test func `a moment outside of an event divides nothing`() throws {
        let book = try Self.book(Self.of(Self.visits[0], .split(at: Self.time(61), nil)))
        #expect(Self.corrected(book).visits == Self.visits)
    }

    @Test func `what is found again under another id a little earlier is the same stay`() throws {
        let book = try Self.book(
            Self.of(Self.visits[0], .rename("Home")), Self.of(Self.visits[1], .reject),
            Self.of(Self.visits[2], .rename("Depot")))
        let again = [Self.visit(2, 58), Self.visit(91, 95, east: 10.5), Self.visit(133, nil, east: 11)]
        let shown = book.corrected(visits: again, trips: []).visits
        #expect(shown.map { $0.place?.name } == ["Home", "Depot"])
    }

    @Test func `another stay is not taken for one that was put right`() throws {
        let book = try Self.book(Self.of(Self.visits[0], .rename("Home")), Self.of(Self.visits[2], .reject))
        let others = [Self.visit(40, 160), Self.visit(200, nil)]
        #expect(book.corrected(visits: others, trips: []).visits == others)
    }

    @Test func `corrections of a visit leave trips alone, whatever their times are`() throws {
        let book = try Self.book(Self.of(Self.visits[0], .reject))
        #expect(book.corrected(visits: [], trips: [Self.trip(0, 60, 100)]).trips.count == 1)
    }

    @Test func `what is undone is as found`() throws {
        var book = try Self.book(Self.of(Self.visits[0], .rename("Home")), Self.of(Self.visits[0], .reject))
        try book.take(.undo(.visit, Self.visits[0].id))
        #expect(Self.corrected(book).visits == Self.visits)
        #expect(throws: CorrectionProblem.self) { try book.take(.undo(.visit, Self.visits[0].id)) }
    }

    @Test func `a book reads as it was written`() throws {
        let point = Correction.SplitPoint(coordinate: Coordinate(latitude: 53.2, longitude: 10.1), distance: 5_000)
        let book = try Self.book(
            Self.of(Self.visits[0], .rename("Grandma's \"house\" 🏠")), Self.of(Self.trips[0], .mode(.gondola)),
            Self.of(Self.visits[2], .reject), Self.of(Self.trips[0], .merge(upTo: Self.time(95))),
            Self.of(Self.trips[1], .split(at: Self.time(100), point)),
            Self.of(Self.visits[0], .split(at: Self.time(9), nil)))
        #expect(try CorrectionLog(json: book.json) == book)
        #expect(try CorrectionLog(json: CorrectionLog().json) == CorrectionLog())
    }

    @Test(arguments: [
        "", "[]", "{}", #"{"kind":"heartbeat","id":"A","change":{"reject":true}}"#,
        #"{"kind":"visit","id":"no UUID","from":"2026-03-01T00:00:00Z","change":{"reject":true}}"#,
        #"{"kind":"visit","id":"6B29FC40-CA47-1067-B31D-00DD010662DA","change":{"reject":true}}"#,
        #"{"kind":"visit","id":"6B29FC40-CA47-1067-B31D-00DD010662DA","from":"2026-03-01T00:00:00Z"}"#,
        #"{"kind":"visit","id":"6B29FC40-CA47-1067-B31D-00DD010662DA","from":"2026-03-01T00:00:00Z","change":{"mode":"car"}}"#,
        #"{"kind":"trip","id":"6B29FC40-CA47-1067-B31D-00DD010662DA","from":"2026-03-01T00:00:00Z","change":{"rename":"x"}}"#,
        #"{"kind":"visit","id":"6B29FC40-CA47-1067-B31D-00DD010662DA","from":"2026-03-01T00:00:00Z","change":{"rename":""}}"#,
        #"{"kind":"visit","id":"6B29FC40-CA47-1067-B31D-00DD010662DA","from":"2026-03-01T00:00:00Z","change":{"merge":"2026-03-01T00:00:00Z"}}"#,
        #"{"kind":"visit","id":"6B29FC40-CA47-1067-B31D-00DD010662DA","from":"2026-03-01T00:00:00Z","to":"2026-02-01T00:00:00Z","change":{"reject":true}}"#,
        #"{"kind":"trip","id":"6B29FC40-CA47-1067-B31D-00DD010662DA","from":"2026-03-01T00:00:00Z","change":{"split":12}}"#,
        #"{"kind":"trip","id":"6B29FC40-CA47-1067-B31D-00DD010662DA","from":"2026-03-01T00:00:00Z","to":"2026-03-01T01:00:00Z","change":{"split":"2026-03-01T01:00:00Z"}}"#,
    ])
    func `an order that makes no sense is refused with what was expected`(_ text: String) {
        let problem = #expect(throws: CorrectionProblem.self) { try Correction.Order(Array(text.utf8)) }
        #expect(problem?.description.contains("expected") == true)
    }
}

extension CorrectionLogTests {
    @Test func `what was said of a part is taken back with the division`() throws {
        let id = EventID(device: "van-7", kind: .visit, beginning: Timestamp(secondsSince1970: 1_772_359_200))
        let (from, to) = (Timestamp(secondsSince1970: 1_772_359_200), Timestamp(secondsSince1970: 1_772_362_800))
        let found = Visit(
            id: id, centre: Coordinate(latitude: 53, longitude: 10), radius: 30, arrival: from, departure: to)
        let middle = Timestamp(secondsSince1970: 1_772_360_000)
        var book = CorrectionLog()
        try book.take(.correct(Correction(kind: .visit, id: id, from: from, to: to, .split(at: middle, nil))))
        let part = book.corrected(visits: [found], trips: []).visits[1]
        try book.take(.correct(Correction(kind: .visit, id: part.id, from: middle, to: to, .reject)))
        try book.take(.undo(.visit, id))
        #expect(book.corrections.isEmpty && book.corrected(visits: [found], trips: []).visits == [found])
    }

    private static func book(of visit: Visit, _ changes: [Correction.Change]) throws -> CorrectionLog {
        var book = CorrectionLog()
        for change in changes {
            try book.take(
                .correct(
                    Correction(kind: .visit, id: visit.id, from: visit.arrival, to: visit.departure, change)))
        }
        return book
    }

    @Test(
        arguments: [[Correction.Change.reject], [.rename("Grandma")], [.rename("Grandma"), .reject]])
    func `a correction of a visit that lasts hits that visit and not the next one a few minutes later`(
        _ changes: [Correction.Change]
    ) throws {
        let (lasting, next) = (Self.visit(0, nil), Self.visit(8, nil))
        let book = try Self.book(of: lasting, changes)
        // It has ended, and the next one has begun.
        let shown = book.corrected(visits: [Self.visit(-60, -10), Self.visit(0, 4), next], trips: []).visits
        #expect(shown.contains(next))
        #expect(shown.count == (changes.last == .reject ? 2 : 3))
        // It is not known any more.
        #expect(book.corrected(visits: [next], trips: []).visits == [next])
        // It was found again under another id.
        let again = [Self.visit(-60, -10), Self.visit(1, nil)]
        let found = book.corrected(visits: again, trips: []).visits
        #expect(found.count == (changes.last == .reject ? 1 : 2) && found.last != again.last)
    }

    @Test func `what was said of a visit that was rejected as well is said of no other`() throws {
        let visits = [Self.visit(0, 60), Self.visit(62, 100)]
        var book = try Self.book(of: visits[0], [.reject])
        try book.take(
            .correct(
                Correction(kind: .visit, id: visits[0].id, from: visits[0].arrival, to: nil, .rename("Grandma"))))
        #expect(book.corrected(visits: visits, trips: []).visits == [visits[1]])
    }

    @Test func `ten thousand corrections of as many events take ten times as long as a thousand`() throws {
        let few = try (1...5).map { _ in try Self.time(correcting: 1_000) }.min()
        let many = try (1...3).map { _ in try Self.time(correcting: 10_000) }.min()
        // Looking at all events for each correction takes a hundred times as long.
        #expect(try #require(many) < #require(few) * 50)
    }

    private static var processorTime: Double {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) * 1e-9
    }

    /// The processor time that it takes to lay so many corrections over as many events, in seconds; other programs do not
    /// count.
    private static func time(correcting count: Int) throws -> Double {
        let visits = (0..<count).map { visit($0 * 20, $0 * 20 + 10) }
        var lines: [String] = []
        for (index, visit) in visits.enumerated() {
            // Half of them are of events that are not known.
            let shift = index.isMultiple(of: 2) ? 0 : 1_000_000_000
            let from = visit.arrival.advanced(by: .seconds(shift)).rfc3339(.nanoseconds)
            let to = visit.arrival.advanced(by: .seconds(shift + 600)).rfc3339(.nanoseconds)
            let id = shift == 0 ? visit.id : EventID(rawValue: UInt128(index))
            lines.append(
                #"{"kind":"visit","id":"\#(id)","from":"\#(from)","to":"\#(to)","change":{"rename":"\#(index)"}}"#)
        }
        let book = try CorrectionLog(json: Array("{\"corrections\":[\(lines.joined(separator: ","))]}".utf8))
        let begin = processorTime
        let shown = book.corrected(visits: visits, trips: []).visits
        let took = processorTime - begin
        #expect(shown.count == visits.count)
        #expect(shown.count { $0.place != nil } == count / 2)
        return took
    }
}
