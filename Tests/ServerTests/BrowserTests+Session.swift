import Foundation
import TestSupport
import Testing
import TrackEngine
import TrackEngineServer

/// A session in a real browser.
extension BrowserTests {
    @Test func `A link that is opened once shows the page also after a reload, and stays in no address`() async throws {
        try await Self.with { bench, browser in
            try await browser.open("about:blank")
            let link = try bench.access.makeLink().secret.revealed
            try await browser.open("http://127.0.0.1:\(bench.port)/?once=\(link)#history")
            for _ in 0..<2 {
                try await browser.waits(for: ##"document.querySelectorAll("#devices li").length === 1"##)
                try await browser.waits(for: ##"document.getElementById("link").textContent === "live""##)
                #expect(try await browser.value("location.search + location.hash") == .string("#history"))
                try await browser.open("http://127.0.0.1:\(bench.port)/#history")
            }
            #expect(try bench.access.endSessions(nil) > 0)
            try await browser.open("http://127.0.0.1:\(bench.port)/?once=\(link)")
            try await browser.waits(for: ##"document.body.classList.contains("locked")"##)
        }
    }
}
