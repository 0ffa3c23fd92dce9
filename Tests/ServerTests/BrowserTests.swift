import Foundation
import TestSupport
import Testing
import TrackEngine
import TrackEngineHistory
import TrackEngineServer

/// The page in a real browser; the pictures are in `.build/screens`.
@Suite(
    "Page in a browser", .serialized, .enabled(if: Browser.isInstalled, "needs chromium and chromium-driver"),
    .enabled(if: TestEnvironment.isOptimised, "the page is the same in both builds"),
    .timeLimit(.minutes(30)))
struct BrowserTests {
    /// A drive of an hour that ends when the server's day is at noon, on three days up to one so many days ago.
    private static func drives(daysAgo: Int = 0) -> [HistoryPoint] {
        (0..<3).flatMap { day in
            (0..<1_800).map { step in
                let seconds = Double(step * 2)
                let (north, east) = (seconds * 8, 900 * sin(seconds / 300))
                let coordinate = Coordinate(latitude: 53.55 + north / 111_200, longitude: 9.98 + east / 66_100)
                let time = Timestamp.now().advanced(by: .seconds(-86_400 * (day + daysAgo) - 3_600 + step * 2))
                return HistoryPoint(
                    fix: Fix(
                        time: time, coordinate: coordinate, altitude: 20 + 30 * sin(seconds / 200),
                        horizontalAccuracy: 5,
                        speed: 10 + 5 * sin(seconds / 100), activity: .driving))
            }
        }
    }

    /// A way of some minutes from the Far East to the Far West.
    private static func crossing() -> [HistoryPoint] {
        (0..<400).map { step in
            let longitude = 179.8 + Double(step) / 1_000
            return HistoryPoint(
                fix: Fix(
                    time: Timestamp.now().advanced(by: .seconds(-900 + step * 2)),
                    coordinate: Coordinate(latitude: -17, longitude: longitude > 180 ? longitude - 360 : longitude),
                    horizontalAccuracy: 5, speed: 50))
        }
    }

    static func with(
        _ configuration: ServerConfiguration = ServerConfiguration(), width: Int = 1200, height: Int = 760,
        isDark: Bool = false, status: (@Sendable () async throws -> [UInt8])? = nil,
        _ body: @Sendable (ServerBench, Browser) async throws -> Void
    ) async throws {
        try await ServerBench.with(configuration, status: status, wallClock: .system) { bench in
            _ = try await bench.history.add(drives(), of: "van-7")
            let browser = try await Browser(width: width, height: height, isDark: isDark)
            do {
                try await browser.open("http://127.0.0.1:\(bench.port)/?key=\(bench.key)")
                try await browser.waits(for: ##"document.querySelectorAll("#devices li").length === 1"##)
                try await body(bench, browser)
            } catch {
                await browser.close()
                throw error
            }
            await browser.close()
        }
    }

    @Test func `A device that moves is seen to move`() async throws {
        try await Self.with { bench, browser in
            try await browser.waits(for: #"document.getElementById("link").textContent === "live""#)
            let token = try bench.token(of: "phone")
            let time = Timestamp.now().rfc3339(.seconds)
            let feature = ReceivingTests.feature.replacingOccurrences(of: "2026-03-01T10:00:00Z", with: time)
            _ = try await bench.send("POST", "/dump?token=\(token)", body: #"{"locations":[\#(feature)]}"#)
            try await browser.waits(for: #"document.getElementById("devices").textContent.includes("phone")"#)
            try await browser.photograph("live")
        }
    }

    @Test func `A day is chosen and played`() async throws {
        try await Self.with { _, browser in
            _ = try await browser.value(#"document.getElementById("tab-history").click()"#)
            try await browser.waits(for: ##"document.querySelectorAll("#days tbody tr").length >= 3"##)
            try await browser.waits(for: #"!document.getElementById("player").hidden"#)
            let before = try await browser.value(#"document.getElementById("clock").textContent"#)
            _ = try await browser.value(#"document.getElementById("play").click()"#)
            try await browser.waits(
                for: "document.getElementById(\"clock\").textContent !== \"\(before.string ?? "")\"")
            try await browser.photograph("history")
        }
    }

    @Test func `On a small dark screen nothing is wider than the screen`() async throws {
        try await Self.with(width: 500, height: 740, isDark: true) { _, browser in
            try await browser.waits(for: #"matchMedia("(prefers-color-scheme: dark)").matches"#)
            try await browser.waits(for: "document.documentElement.scrollWidth <= innerWidth")
            _ = try await browser.value(#"document.getElementById("tab-history").click()"#)
            try await browser.waits(for: ##"document.querySelectorAll("#days tbody tr").length >= 3"##)
            try await browser.waits(for: "document.documentElement.scrollWidth <= innerWidth")
            try await browser.photograph("small-dark")
        }
    }

    @Test func `Days from one to another are chosen with shift`() async throws {
        try await Self.with { _, browser in
            _ = try await browser.value(#"document.getElementById("tab-history").click()"#)
            try await browser.waits(for: ##"document.querySelectorAll("#days tbody tr").length >= 3"##)
            try await browser.waits(for: ##"document.querySelectorAll("#days tr.chosen").length === 1"##)
            let click = #"new MouseEvent("click", { bubbles: true, shiftKey: true })"#
            _ = try await browser.value(##"document.querySelectorAll("#days tbody tr")[2].dispatchEvent(\##(click))"##)
            try await browser.waits(for: ##"document.querySelectorAll("#days tr.chosen").length === 3"##)
            try await browser.waits(for: #"document.getElementById("chosen").textContent.includes("3 days")"#)
            try await browser.photograph("range")
        }
    }

    @Test func `A bar of the chart chooses its day`() async throws {
        try await Self.with { _, browser in
            _ = try await browser.value(#"document.getElementById("tab-history").click()"#)
            try await browser.waits(for: #"document.querySelectorAll(".bar").length === 7"#)
            try await browser.waits(for: ##"document.querySelectorAll("#days tr.chosen").length === 1"##)
            let bar = #"[...document.querySelectorAll(".bar:not([aria-disabled])")].at(-2)"#
            _ = try await browser.value(#"\#(bar).dispatchEvent(new MouseEvent("click"))"#)
            try await browser.waits(
                for: ##"document.querySelectorAll("#days tbody tr")[1].classList.contains("chosen")"##)
            try await browser.waits(for: ##"document.querySelectorAll("#days tr.chosen").length === 1"##)
        }
    }

    @Test func `Pieces that are shorter than wanted are left out`() async throws {
        try await Self.with { _, browser in
            _ = try await browser.value(#"document.getElementById("tab-history").click()"#)
            try await browser.waits(for: #"!document.getElementById("player").hidden"#)
            let change = #"field => { field.value = "999999"; field.dispatchEvent(new Event("change")) }"#
            _ = try await browser.value(#"(\#(change))(document.getElementById("shortest"))"#)
            try await browser.waits(for: #"document.getElementById("player").hidden"#)
            try await browser.waits(for: #"document.getElementById("legend").textContent === "No path to draw.""#)
        }
    }

    @Test func `A group of devices is hidden at once`() async throws {
        try await Self.with { _, browser in
            try await browser.waits(for: #"document.querySelectorAll(".vehicle").length === 1"#)
            let change = #"field => { field.value = "Fleet"; field.dispatchEvent(new Event("change")) }"#
            _ = try await browser.value(##"(\##(change))(document.querySelector("#grouping input"))"##)
            try await browser.waits(for: ##"document.querySelector("#devices h3")?.textContent === "Fleet""##)
            _ = try await browser.value(##"document.querySelector("#devices h3 input").click()"##)
            try await browser.waits(for: #"document.querySelectorAll(".vehicle").length === 0"#)
        }
    }

    @Test func `A recording from a year ago is shown`() async throws {
        try await Self.with { bench, browser in
            _ = try await bench.history.add(Self.drives(daysAgo: 365), of: "old")
            try await browser.open("http://127.0.0.1:\(bench.port)/")
            try await browser.waits(for: ##"document.querySelectorAll("#devices li").length === 2"##)
            _ = try await browser.value(#"document.getElementById("tab-history").click()"#)
            try await browser.waits(for: #"document.getElementById("device").value === "old""#)
            try await browser.waits(for: ##"document.querySelectorAll("#days tbody tr").length >= 3"##)
            try await browser.waits(for: #"document.getElementById("ending").textContent.startsWith("7 days up to")"#)
            try await browser.waits(for: #"!document.getElementById("player").hidden"#)
        }
    }

    @Test func `A line across 180 degrees goes the short way`() async throws {
        try await Self.with { bench, browser in
            _ = try await bench.history.add(Self.crossing(), of: "ship")
            try await browser.open("http://127.0.0.1:\(bench.port)/")
            try await browser.waits(for: ##"document.querySelectorAll("#devices li").length === 2"##)
            _ = try await browser.value(#"document.getElementById("tab-history").click()"#)
            try await browser.waits(for: #"document.getElementById("device").value === "ship""#)
            let width = "(([west, , east]) => east - west)"
            let drawn = #"(document.getElementById("map").dataset.drawn ?? "0,0,0,0").split(",").map(Number)"#
            try await browser.waits(for: "\(width)(\(drawn)) > 0")
            try await browser.waits(for: "\(width)(\(drawn)) < 1")
            try await browser.photograph("antimeridian")
        }
    }

    @Test func `A fix that was not recorded is shown with its reason`() async throws {
        try await Self.with { bench, browser in
            let fix = Fix(time: Timestamp.now(), coordinate: Coordinate(latitude: 53.6, longitude: 9.98))
            bench.server.show(.rejected(fix: fix, source: "gps", reason: .inaccurate), of: "van-7")
            _ = try await browser.value(#"document.getElementById("tab-history").click()"#)
            let reasons = #"document.getElementById("rejected-count").textContent"#
            try await browser.waits(for: #"\#(reasons) === "(1 inaccurate)""#)
            // Most fixes are not needed, which is no fault of theirs.
            for (second, reason) in [RejectionReason.tooNear, .standby, .unneeded].enumerated() {
                let fix = Fix(time: fix.time.advanced(by: .seconds(-1 - second)), coordinate: fix.coordinate)
                bench.server.show(.rejected(fix: fix, source: "gps", reason: reason), of: "van-7")
            }
            for _ in 0..<2 { _ = try await browser.value(#"document.getElementById("with-rejected").click()"#) }
            try await browser.waits(for: #"\#(reasons) === "(3 not needed, 1 inaccurate)""#)
            _ = try await browser.value(#"document.getElementById("with-rejected").click()"#)
            try await browser.waits(for: #"\#(reasons) === """#)
        }
    }

    @Test func `A fix that was not needed moves the device all the same`() async throws {
        try await Self.with { bench, browser in
            try await browser.waits(for: #"document.getElementById("link").textContent === "live""#)
            try await browser.waits(for: #"document.querySelectorAll(".vehicle").length === 1"#)
            _ = try await browser.value(#"window.before = document.querySelector(".vehicle").style.transform"#)
            let fix = Fix(time: Timestamp.now(), coordinate: Coordinate(latitude: 53.9, longitude: 10.1))
            bench.server.show(.rejected(fix: fix, source: "gps", reason: .tooNear), of: "van-7")
            try await browser.waits(for: #"document.querySelector(".vehicle").style.transform !== window.before"#)
        }
    }

    @Test func `A device's name is text and no script`() async throws {
        try await Self.with { bench, browser in
            let name = #"<img src=x onerror="window.hit=1">"#
            _ = try await bench.history.add(Self.drives(), of: DeviceID(rawValue: name))
            try await browser.open("http://127.0.0.1:\(bench.port)/")
            try await browser.waits(for: ##"document.querySelectorAll("#devices li").length === 2"##)
            try await browser.waits(for: #"document.getElementById("devices").textContent.includes("<img")"#)
            #expect(try await browser.value("window.hit === undefined") == .boolean(true))
        }
    }

    @Test func `When the server goes away the page says so`() async throws {
        try await Self.with { bench, browser in
            try await browser.waits(for: #"document.getElementById("link").textContent === "live""#)
            await bench.stop()
            try await browser.waits(for: #"document.getElementById("link").textContent.startsWith("no connection")"#)
        }
    }
}
