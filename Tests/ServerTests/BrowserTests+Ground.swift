import Foundation
import TestSupport
import Testing
import TrackEngine
import TrackEngineServer

extension BrowserTests {
    /// A tile server with one picture, which remembers what it was asked.
    private final class Tiles: Sendable {
        let port: ReservedPort
        private let listener: LoopbackListener
        private let heads: SystemMutex<[String]>

        var requests: [String] { heads.withLock { $0 } }

        init(hasTiles: Bool = true) throws {
            port = try ReservedPort()
            let heads = SystemMutex([String]())
            self.heads = heads
            let picture = Data(
                base64Encoded:
                    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==")
            let body = hasTiles ? [UInt8](picture ?? Data()) : []
            let head =
                "HTTP/1.1 \(hasTiles ? "200 OK" : "404 Not Found")\r\nContent-Type: image/png\r\n"
                + "Content-Length: \(body.count)\r\nConnection: close\r\n\r\n"
            listener = try LoopbackListener(at: .ipv4(port.number)) { connection in
                var buffer = [UInt8](repeating: 0, count: 8_192)
                let count = recv(connection, &buffer, buffer.count, 0)
                heads.withLock { $0.append(String(decoding: buffer.prefix(max(0, count)), as: UTF8.self)) }
                _ = (Array(head.utf8) + body).withUnsafeBytes {
                    send(connection, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
                }
            }
        }

        func stop() { listener.stop() }

        /// Under another name than the page's: cookies know no ports, so another server of the same host would get the page's.
        var configuration: ServerConfiguration {
            var configuration = ServerConfiguration()
            configuration.tiles = TileServer(
                template: "http://localhost:\(port.number)/{z}/{x}/{y}.png",
                attribution: #"© <img src=x onerror="window.hit=1">"#)
            return configuration
        }
    }

    @Test func `Streets are asked for when the user wants them, and not before`() async throws {
        let tiles = try Tiles()
        defer { tiles.stop() }
        try await Self.with(tiles.configuration) { bench, browser in
            try await browser.waits(for: #"!document.getElementById("ground").hidden"#)
            let button = #"document.getElementById("load-streets")"#
            try await browser.waits(for: #"\#(button).textContent === "Load streets from localhost""#)
            try await browser.waits(for: #"document.getElementById("what-leaves").textContent.includes("address")"#)
            try await browser.photograph("streets-before")
            #expect(tiles.requests.isEmpty)
            _ = try await browser.value("\(button).click()")
            try await browser.waits(for: #"document.querySelector(".leaflet-tile-loaded")"#)
            try await browser.waits(for: #"\#(button).textContent === "Stop loading streets""#)
            try await browser.photograph("streets")
            // The tile server learns which machine looks, and not with which key or at which device.
            for request in tiles.requests {
                #expect(!request.contains(bench.key) && !request.contains("van-7"))
                #expect(request.contains("Referer: http://127.0.0.1:\(bench.port)/\r\n"))
            }
            #expect(!tiles.requests.isEmpty)
            #expect(try await browser.value("window.hit === undefined") == .boolean(true))
            try await browser.open("http://127.0.0.1:\(bench.port)/")
            try await browser.waits(for: #"\#(button).textContent === "Stop loading streets""#)
            _ = try await browser.value("\(button).click()")
            try await browser.waits(for: #"document.querySelectorAll(".leaflet-tile").length === 0"#)
        }
    }

    @Test func `Where no tile comes the page says so`() async throws {
        let tiles = try Tiles(hasTiles: false)
        defer { tiles.stop() }
        try await Self.with(tiles.configuration) { _, browser in
            try await browser.waits(for: #"!document.getElementById("ground").hidden"#)
            _ = try await browser.value(#"document.getElementById("load-streets").click()"#)
            try await browser.waits(
                for: #"document.getElementById("no-tiles").textContent === "No tile came from localhost.""#)
        }
    }

    @Test func `The state says what comes next and when, and days tell their climb`() async throws {
        let due = Timestamp.now().advanced(by: .seconds(150)).rfc3339(.seconds)
        let status = #"""
            {"device":"van-7","sources":[{"id":"gpsd","status":"receiving","moving":true,"standby":false,"fixes":9,
            "recorded":3,"causes":{},"odometer":5,"rejected":{},"problems":{},"next":{"state":"still","due":"\#(due)"}}],
            "sinks":[],"store":{}}
            """#
        let answer: @Sendable () -> [UInt8] = { Array(status.utf8) }
        try await Self.with(status: answer) { _, browser in
            try await browser.waits(
                for: ##"document.querySelector("#facts dd")?.textContent?.startsWith("moving, still in")"##)
            _ = try await browser.value(#"document.getElementById("tab-history").click()"#)
            try await browser.waits(
                for: ##"document.querySelector("#days thead th:last-child")?.textContent === "Climb""##)
            try await browser.waits(
                for: ##"/^[1-9]\d* m$/.test(document.querySelector("#days tbody td:last-child")?.textContent)"##)
        }
    }
}
