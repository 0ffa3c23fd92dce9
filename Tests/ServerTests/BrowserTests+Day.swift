import TestSupport
import Testing
import TrackEngine
import TrackEngineHistory
import TrackEngineServer

/// Days in a real browser: stops, trips, and what is put right of them.
extension BrowserTests {
    /// So many hours after this machine's midnight of yesterday, in the zone of the browser as of the tests.
    private static func yesterday(_ browser: Browser) async throws -> @Sendable (Double) -> Timestamp {
        let midnight = "(date => new Date(date.getFullYear(), date.getMonth(), date.getDate() - 1) / 1000)(new Date())"
        let seconds = try #require(try await browser.value(midnight).number)
        return { Timestamp(secondsSince1970: Int64(seconds + $0 * 3_600)) }
    }

    private static func visit(_ arrival: Timestamp, _ departure: Timestamp?, at name: String?) -> HistoryEvent {
        HistoryEvent(
            Visit(
                id: EventID(device: "cart", kind: .visit, beginning: arrival),
                centre: Coordinate(latitude: 53.55, longitude: 9.98), radius: 40, arrival: arrival,
                departure: departure,
                place: name.map { PlaceName(id: "1", name: $0) }))
    }

    private static func trip(_ start: Timestamp, _ end: Timestamp, _ mode: TripMode = .bicycle) -> HistoryEvent {
        func terminus(_ time: Timestamp, _ latitude: Double) -> Trip.End {
            Trip.End(time: time, coordinate: Coordinate(latitude: latitude, longitude: 9.98))
        }
        return HistoryEvent(
            Trip(
                id: EventID(device: "cart", kind: .trip, beginning: start), mode: mode, start: terminus(start, 53.55),
                end: terminus(end, 53.59), distance: 4_400, movingTime: .seconds(1_100), topSpeed: 9,
                climb: 30, startedBy: .automatic, endedBy: .automatic))
    }

    /// A ride along a meridian.
    private static func ride(_ start: Timestamp, _ end: Timestamp) -> [HistoryPoint] {
        let count = Int(end.duration(since: start) / .seconds(20))
        return (0...count).map { step in
            HistoryPoint(
                fix: Fix(
                    time: start.advanced(by: .seconds(20 * step)),
                    coordinate: Coordinate(latitude: 53.55 + 0.04 * Double(step) / Double(count), longitude: 9.98),
                    speed: 4))
        }
    }

    /// Opens the page on yesterday of a device that has stops and trips.
    private static func withDay(
        width: Int = 1200, height: Int = 760, isDark: Bool = false, places: KeptPlaces? = nil, mayEdit: Bool = false,
        _ body: @Sendable (ServerBench, Browser, @Sendable (Double) -> Timestamp) async throws -> Void
    ) async throws {
        let sharing = SharingScene(ownDevice: "cart", places: places)
        try await ServerBench.with(wallClock: .system, sharing: sharing) { bench in
            let browser = try await Browser(width: width, height: height, isDark: isDark)
            do {
                let hour = try await yesterday(browser)
                _ = try await bench.history.add(
                    ride(hour(8), hour(8.5)) + ride(hour(12), hour(12.5)),
                    events: [
                        visit(hour(-5), hour(8), at: "Home"), trip(hour(8), hour(8.5)),
                        visit(hour(8.5), hour(12), at: nil), trip(hour(12), hour(12.5), .car),
                        visit(hour(12.5), hour(20), at: "<img src=x onerror=\"window.hit=1\">"),
                        trip(hour(23.5), hour(24.2), .walk),
                    ], of: "cart")
                let key = mayEdit ? try bench.access.allowEditing().secret.revealed : bench.key
                try await browser.open("http://127.0.0.1:\(bench.port)/?key=\(key)")
                try await browser.waits(for: ##"document.querySelectorAll("#devices li").length === 1"##)
                _ = try await browser.value(#"document.getElementById("tab-day").click()"#)
                try await browser.waits(for: ##"document.querySelectorAll("#events li > button").length === 6"##)
                try await body(bench, browser, hour)
            } catch {
                await browser.close()
                throw error
            }
            await browser.close()
        }
    }

    private static let rows = ##"[...document.querySelectorAll("#events li > button")]"##

    @Test func `A day shows its stops and trips as a strip, a list and sums by mode`() async throws {
        try await Self.withDay { _, browser, _ in
            try await browser.waits(
                for: ##"document.querySelectorAll("#strip .part").length === 7"##)
            let kinds = ##"[...document.querySelectorAll("#strip .part")].map(part => part.classList[1]).join(" ")"##
            #expect(try await browser.value(kinds).string == "stop moving stop moving stop gap moving")
            #expect(try await browser.value("\(Self.rows)[0].textContent").string?.contains("Home") == true)
            #expect(try await browser.value("\(Self.rows)[0].textContent").string?.contains("over midnight") == true)
            let trip = try #require(try await browser.value("\(Self.rows)[1].textContent").string)
            for fact in ["Bicycle, 4.40 km", "30 min", "mean 14 km/h", "top 32 km/h", "climb 30 m", "moving 18 min"] {
                #expect(trip.contains(fact), "\(trip)")
            }
            try await browser.waits(for: ##"document.querySelectorAll("#modes tbody tr").length === 3"##)
            // What a place is called is text.
            #expect(try await browser.value("window.hit === undefined") == .boolean(true))
            #expect(try await browser.value("\(Self.rows)[4].textContent").string?.contains("<img") == true)
            try await browser.photograph("day")
        }
    }

    @Test func `A trip that is pressed is shown on the map, and pressed again it is not`() async throws {
        try await Self.withDay { _, browser, _ in
            _ = try await browser.value("\(Self.rows)[1].click()")
            try await browser.waits(for: "\(Self.rows)[1].getAttribute(\"aria-pressed\") === \"true\"")
            try await browser.waits(for: #"document.getElementById("map").dataset.chosen === "3""#)
            try await browser.waits(for: ##"document.querySelectorAll("#strip .part.chosen").length === 1"##)
            try await browser.photograph("day-trip")
            _ = try await browser.value(##"document.querySelectorAll("#strip .part")[1].click()"##)
            try await browser.waits(for: #"document.getElementById("map").dataset.chosen === "0""#)
        }
    }

    @Test func `The days before and after are a press away, and an empty one says what to do`() async throws {
        try await Self.withDay { bench, browser, hour in
            _ = try await browser.value(#"document.getElementById("day-after").click()"#)
            // The walk over midnight belongs to both days.
            try await browser.waits(for: "\(Self.rows).length === 1")
            #expect(try await browser.value("\(Self.rows)[0].textContent").string?.contains("over midnight") == true)
            #expect(try await browser.value(#"document.getElementById("day-after").disabled"#) == .boolean(true))
            for _ in 0..<2 {
                _ = try await browser.value(#"document.getElementById("day-before").click()"#)
            }
            try await browser.waits(for: "\(Self.rows).length === 1")  // the night at home began there
            _ = try await browser.value(#"document.getElementById("day-before").click()"#)
            let empty = #"document.getElementById("day-empty").textContent"#
            try await browser.waits(for: "\(empty).startsWith(\"Nothing was recorded\")")
            _ = try await bench.history.add(Self.ride(hour(-40), hour(-39)), of: "cart")
            _ = try await browser.value(#"document.getElementById("day-date").dispatchEvent(new Event("change"))"#)
            try await browser.waits(for: "\(empty).includes(\"events: {visits: true, trips: true}\")")
            try await browser.photograph("day-empty")
        }
    }

    @Test func `On a small dark screen a day is no wider than the screen`() async throws {
        try await Self.withDay(
            width: 500, height: 740, isDark: true, places: KeptPlaces(KeptPlaces.circle("home", "Home")), mayEdit: true
        ) { _, browser, _ in
            _ = try await browser.value("\(Self.rows)[1].click()")
            try await browser.waits(for: ##"document.querySelector(".tools") !== null"##)
            try await browser.waits(for: "document.documentElement.scrollWidth <= innerWidth")
            try await browser.photograph("day-small-dark")
        }
    }

    @Test func `What happens shows by itself`() async throws {
        try await Self.withDay { bench, browser, hour in
            try await browser.waits(for: #"document.getElementById("link").textContent === "live""#)
            _ = try await browser.value(#"document.getElementById("day-after").click()"#)
            try await browser.waits(for: "\(Self.rows).length === 1")
            let now = Timestamp.now()
            guard case .visit(let visit) = Self.visit(now, nil, at: "Harbour").content else { return }
            let fix = Fix(time: now, coordinate: visit.centre)
            let content = RecordContent.visit(visit)
            let draft = RecordDraft(
                id: RecordID(device: "cart", source: "gps", fix: fix, content: content), fix: fix, isMoving: false,
                cause: .detected, source: "gps", content: content)
            let record = TrackRecord(sequence: RecordSequence(rawValue: 1), draft: draft)
            let sink = HistorySink(history: bench.history, device: "cart")
            _ = try await sink.deliver(RecordBatch(records: [record]))
            bench.server.show(.recorded(record), of: "cart")
            try await browser.waits(for: "\(Self.rows).some(row => row.textContent.includes(\"Harbour\"))")
        }
    }

    @Test func `Who may not edit sees no tools, and who may puts right what is wrong`() async throws {
        let places = KeptPlaces()
        try await Self.withDay(places: places) { _, browser, _ in
            _ = try await browser.value("\(Self.rows)[0].click()")
            #expect(try await browser.value(##"document.querySelector(".tools") === null"##) == .boolean(true))
        }
        try await Self.withDay(places: places, mayEdit: true) { _, browser, hour in
            func press(_ row: Int, _ text: String) async throws {
                try await browser.waits(for: "\(Self.rows).length > \(row)")
                _ = try await browser.value(
                    "\(Self.rows)[\(row)].getAttribute(\"aria-pressed\") === \"true\" || \(Self.rows)[\(row)].click()")
                let button =
                    ##"[...document.querySelectorAll(".tools button")].find(b => b.textContent.startsWith("\##(text)"))"##
                try await browser.waits(for: button)
                _ = try await browser.value("\(button).click()")
            }
            _ = try await browser.value("\(Self.rows)[2].click()")
            try await browser.waits(for: ##"document.querySelector(".tools input") !== null"##)
            _ = try await browser.value(##"document.querySelector(".tools input").value = "Cellar""##)
            try await press(2, "Rename")
            try await browser.waits(for: "\(Self.rows)[2].textContent.includes(\"Cellar\")")
            try await browser.waits(for: "\(Self.rows)[2].textContent.includes(\"corrected\")")
            try await press(1, "Split")
            try await browser.waits(for: ##"document.querySelector(".split input") !== null"##)
            try await browser.photograph("day-split")
            try await press(1, "Split at")
            try await browser.waits(for: "\(Self.rows).length === 7")
            try await press(1, "Undo")
            try await browser.waits(for: "\(Self.rows).length === 6")
            try await press(1, "Merge")
            // The stop between the two is none then.
            try await browser.waits(for: "\(Self.rows).length === 4")
            try await press(0, "Reject")
            try await browser.waits(for: "\(Self.rows).length === 3")
            try await browser.waits(for: ##"!document.getElementById("rejected-events").hidden"##)
            _ = try await browser.value(##"document.querySelector("#rejected-events button").click()"##)
            try await browser.waits(for: "\(Self.rows).length === 4")
        }
    }
}
