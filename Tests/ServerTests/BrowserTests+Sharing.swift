import Foundation
import TestSupport
import Testing
import TrackEngine
import TrackEngineHistory
import TrackEngineServer
import TrackEngineSettings

extension BrowserTests {
    /// A device somewhere north of the own one, or one of which nothing is known.
    private static func followed(_ name: String, _ group: String?, north metres: Double?) -> FollowedDevice {
        var device = FollowedDevice(DeviceID(rawValue: name), group: group, source: "miataru")
        device.fix = metres.map {
            Fix(
                time: Timestamp.now().advanced(by: .seconds(-60)),
                coordinate: Coordinate(latitude: 53.6 + $0 / 111_200, longitude: 9.98), horizontalAccuracy: 8)
        }
        return device
    }

    /// The page of an agent that stands still, follows three devices and shares its place.
    private static func withSharing(_ body: @Sendable (ServerBench, Browser) async throws -> Void) async throws {
        let anna = followed("Anna", "family", north: 5_000)
        var gone = followed("Carl", "club", north: nil)
        gone.fix = nil
        let scene = SharingScene(
            ownDevice: "van-7", followed: [anna, followed("Bert", "family", north: 12_000), gone],
            links: [(sink: "miataru", link: Secret("miataru://7B8E6F0A-1111-4222-8333-ABCDEF012345"))])
        try await ServerBench.with(wallClock: .system, sharing: scene) { bench in
            let token = try bench.token(of: "van-7")
            let time = Timestamp.now().advanced(by: .seconds(-30)).rfc3339(.seconds)
            let feature =
                #"{"type":"Feature","geometry":{"type":"Point","coordinates":[9.98,53.6]},"properties":{"timestamp":"\#(time)"}}"#
            _ = try await bench.send("POST", "/dump?token=\(token)", body: #"{"locations":[\#(feature)]}"#)
            // What a server has seen of them: Carl shared his place once.
            for device in scene.followed.dropLast() + [followed("Carl", "club", north: 800)] {
                await bench.server.take(device)
            }
            let browser = try await Browser(width: 1200, height: 760)
            do {
                try await browser.open("http://127.0.0.1:\(bench.port)/?key=\(bench.key)")
                try await browser.waits(for: ##"document.querySelectorAll("#devices li").length >= 4"##)
                try await body(bench, browser)
            } catch {
                await browser.close()
                throw error
            }
            await browser.close()
        }
    }

    /// The text of the list's entry of a device.
    private static func entry(_ name: String) -> String {
        ##"document.querySelector('#devices li[data-name="\##(name)"]').textContent"##
    }

    @Test func `Followed devices stand in their groups, with where they are from here`() async throws {
        try await Self.withSharing { _, browser in
            for group in ["family", "club"] {
                try await browser.waits(for: #"document.getElementById("devices").textContent.includes("\#(group)")"#)
            }
            try await browser.waits(for: Self.entry("Anna") + #".includes("5.00 km N")"#)
            try await browser.waits(for: Self.entry("Bert") + #".includes("12.0 km N")"#)
            try await browser.waits(for: Self.entry("Carl") + #".includes("no data, expired or not permitted")"#)
            try await browser.photograph("followed")
        }
    }

    @Test func `A group is hidden and shown as one`() async throws {
        try await Self.withSharing { _, browser in
            let box = #"document.querySelector('input[aria-label="Show the group family on the map"]')"#
            let shown = ##"document.querySelectorAll("#devices li > input:checked").length"##
            try await browser.waits(for: "\(box) !== null && \(shown) === 4")
            _ = try await browser.value(box + ".click()")
            try await browser.waits(for: shown + " === 2")
            _ = try await browser.value(box + ".click()")
            try await browser.waits(for: shown + " === 4")
        }
    }

    @Test func `The code of the own place is shown where somebody wants to see it`() async throws {
        try await Self.withSharing { _, browser in
            try await browser.waits(for: #"!document.getElementById("sharing").hidden"#)
            _ = try await browser.value(##"document.querySelector("#sharing summary").click()"##)
            try await browser.waits(for: ##"document.querySelector("#sharing img")?.naturalWidth > 20"##)
            try await browser.waits(
                for: ##"document.querySelector("#sharing figcaption").textContent.startsWith("miataru:")"##)
            try await browser.photograph("sharing")
        }
    }
}
