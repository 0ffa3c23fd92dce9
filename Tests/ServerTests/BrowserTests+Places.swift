import TestSupport
import Testing
import TrackEngine
import TrackEngineHistory
import TrackEngineServer

/// Named places in a real browser.
extension BrowserTests {
    private static func withPlaces(
        _ places: KeptPlaces, mayEdit: Bool = true, _ body: @Sendable (ServerBench, Browser) async throws -> Void
    ) async throws {
        try await ServerBench.with(wallClock: .system, sharing: SharingScene(ownDevice: "cart", places: places)) {
            bench in
            let point = HistoryPoint(
                fix: Fix(time: Timestamp.now(), coordinate: Coordinate(latitude: 53.55, longitude: 9.98)))
            _ = try await bench.history.add([point], of: "cart")
            let browser = try await Browser(width: 1200, height: 760)
            do {
                let key = mayEdit ? try bench.access.allowEditing().secret.revealed : bench.key
                try await browser.open("http://127.0.0.1:\(bench.port)/?key=\(key)#day")
                try await browser.waits(for: ##"document.querySelectorAll("#devices li").length === 1"##)
                _ = try await browser.value(#"document.getElementById("tab-day").click()"#)
                try await browser.waits(for: #"!document.getElementById("areas").hidden"#)
                _ = try await browser.value(#"document.getElementById("areas").open = true"#)
                try await body(bench, browser)
            } catch {
                await browser.close()
                throw error
            }
            await browser.close()
        }
    }

    private static let corridor =
        #"{"type":"Feature","id":"road","geometry":{"type":"LineString","coordinates":[[9.98,53.55],[10,53.56]]},"#
        + #""properties":{"name":"Road","width":60,"kept":false}}"#

    @Test(arguments: [false, true])
    func `Days are deleted by whoever may edit, who is asked twice`(_ mayEdit: Bool) async throws {
        try await Self.withPlaces(KeptPlaces(), mayEdit: mayEdit) { bench, browser in
            _ = try await browser.value(#"document.getElementById("tab-history").click()"#)
            try await browser.waits(for: ##"document.querySelectorAll("#days tbody tr").length >= 1"##)
            let isHidden = try await browser.value(#"document.getElementById("remove").hidden"#)
            #expect(isHidden == .boolean(!mayEdit))
            guard mayEdit else { return }
            for _ in 0..<2 { _ = try await browser.value(#"document.getElementById("remove").click()"#) }
            try await browser.waits(for: #"document.getElementById("done").textContent === "1 point was deleted.""#)
            #expect(try await bench.points(of: "cart").isEmpty)
        }
    }

    @Test func `Places are on the map with their names, which are text, and who may not edit cannot`() async throws {
        let name = #"<img src=x onerror='window.hit=1'>"#
        try await Self.withPlaces(KeptPlaces(KeptPlaces.circle("home", name), Self.corridor), mayEdit: false) {
            _, browser in
            try await browser.waits(for: ##"document.querySelectorAll("#area-list li").length === 2"##)
            _ = try await browser.value(##"document.querySelector("#area-list button").click()"##)
            try await browser.waits(for: #"document.getElementById("map").dataset.areas === "2""#)
            try await browser.waits(
                for: #"[...document.querySelectorAll(".area-name")].some(e => e.textContent.includes("<img"))"#)
            #expect(try await browser.value("window.hit === undefined") == .boolean(true))
            #expect(try await browser.value(#"document.querySelector(".change") === null"#) == .boolean(true))
            #expect(try await browser.value(#"document.getElementById("add-area").hidden"#) == .boolean(true))
            try await browser.photograph("places")
        }
    }

    @Test func `A place is added with a click on the map, resized and named`() async throws {
        let places = KeptPlaces()
        try await Self.withPlaces(places) { _, browser in
            _ = try await browser.value(#"document.getElementById("add-area").click()"#)
            try await browser.waits(for: ##"document.querySelector("#map.adding") !== null"##)
            let click = """
                (map => { const box = map.getBoundingClientRect(); \
                for (const type of ["mousedown", "mouseup", "click"]) map.dispatchEvent(new MouseEvent(type, \
                { bubbles: true, clientX: box.x + 300, clientY: box.y + 200, view: window })) })(document.getElementById("map"))
                """
            _ = try await browser.value(click)
            try await browser.waits(for: #"document.querySelectorAll(".handle").length === 2"#)
            let radius = #"document.getElementById("area-size").value"#
            #expect(try await browser.value(radius).string == "100")
            // The handle on the edge, by keys.
            _ = try await browser.value(
                ##"document.querySelectorAll(".handle")[1].dispatchEvent(new KeyboardEvent("keydown", { key: "ArrowRight", shiftKey: true, bubbles: true }))"##
            )
            try await browser.waits(for: "Number(\(radius)) > 100")
            _ = try await browser.value(
                #"(field => { field.value = "Shed"; field.dispatchEvent(new Event("input")) })(document.getElementById("area-name"))"#
            )
            try await browser.photograph("place-editor")
            _ = try await browser.value(#"document.getElementById("save-area").click()"#)
            try await browser.waits(for: #"document.getElementById("area-list").textContent.includes("Shed")"#)
            #expect(places.told.count == 1 && places.told.first?.hasSuffix("Shed") == true)
            try await browser.waits(for: #"document.getElementById("area-form").hidden"#)
        }
    }

    @Test func `A place of one's own is renamed and deleted, one of the configuration is only shown`() async throws {
        let places = KeptPlaces(KeptPlaces.circle("home", "Home"), Self.corridor)
        try await Self.withPlaces(places) { _, browser in
            try await browser.waits(for: ##"document.querySelectorAll("#area-list .change").length === 1"##)
            _ = try await browser.value(#"document.querySelector(".change").click()"#)
            _ = try await browser.value(
                #"(field => { field.value = "Nest"; field.dispatchEvent(new Event("input")) })(document.getElementById("area-name"))"#
            )
            _ = try await browser.value(#"document.getElementById("save-area").click()"#)
            try await browser.waits(for: #"document.getElementById("area-list").textContent.includes("Nest")"#)
            _ = try await browser.value(#"document.querySelector(".change").click()"#)
            for _ in 0..<2 { _ = try await browser.value(#"document.getElementById("remove-area").click()"#) }
            try await browser.waits(for: ##"document.querySelectorAll("#area-list li").length === 1"##)
            #expect(places.told == ["keep home Nest", "remove home"])
        }
    }
}
