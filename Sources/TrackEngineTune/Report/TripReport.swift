internal import TrackEngine
internal import TrackEngineSettings

/// The stops and trips of tracks as one page, the worst track first: maps, timelines, and each mistake in detail.
///
/// The page is self-contained and bounded in its tracks, rows and cases.
package struct TripReport {
    /// The most tracks that are drawn.
    static let mostTracks = 40
    /// The most cases of a track, and of all tracks together, that are drawn in detail.
    static let mostCases = (track: 9, page: 90)
    /// The most rows of a track's table.
    static let mostRows = 200

    private let trials: [TripTrial]

    /// A page on the trials of tracks.
    package init(_ trials: [TripTrial]) { self.trials = TripTrial.worstFirst(trials) }

    /// The page in UTF-8.
    package var bytes: [UInt8] {
        ReportPage.bytes("Stops and trips of " + ReportPage.names(trials.map(\.name)), writeBody)
    }

    private var isJudged: Bool { trials.contains { $0.judgement != nil } }

    private func writeBody(_ page: inout Markup) {
        page.element("h1", text: "Stops and trips of " + ReportPage.names(trials.map(\.name)))
        if let first = trials.first { page.element("p", ["class": "facts"], text: first.settingsText + ".") }
        if let total = TripTrial.total(trials) {
            page.element("h2", text: "Compared with the labels")
            TripTableSet.scores(total, &page)
        }
        page.element("h2", text: isJudged ? "Track by track, the worst first" : "Track by track")
        writeKey(&page)
        var cases = Self.mostCases.page
        for trial in trials.prefix(Self.mostTracks) { write(trial, &cases, &page) }
        if trials.count > Self.mostTracks {
            page.element("p", text: "\(trials.count - Self.mostTracks) more tracks are not drawn.")
        }
        page.element("h2", text: "How to read it")
        page.element("ul") { list in
            for note in isJudged ? TripNotes.judged : TripNotes.plain { list.element("li", text: note) }
        }
    }

    private func writeKey(_ page: inout Markup) {
        let judged = [
            ("v-found", "● a stop that is a rest"), ("v-wrong", "⊗ a stop where there was no rest"),
            ("v-missed", "◌ a rest that was missed"), ("v-unsure", "● neither right nor wrong"),
        ]
        page.element("p", ["class": "legend key"]) { page in
            for (style, words) in isJudged ? judged : [("v-plain", "● a stop")] {
                page.element("span", ["class": "\(style) tag"], text: words)
            }
            page.element("span", text: "Blue lines: trips, dark and light in turn. Grey: the rest of the track.")
        }
    }

    private func write(_ trial: TripTrial, _ left: inout Int, _ page: inout Markup) {
        let rows = TripRow.rows(of: trial)
        let marks = TripMark.marks(rows, of: trial)
        let cases = TripCase.cases(of: trial, marks, limit: min(left, Self.mostCases.track))
        left -= cases.count
        page.element("section", ["class": "rule trial"]) { page in
            page.element("h3", text: trial.shortName)
            page.element("p", text: trial.summary + ".")
            if let judged = trial.judged { page.element("p", text: judged + ".") }
            page.element("div", ["class": "panels"]) { page in
                page.element("div") { TripMap(trial: trial, rows: rows, marks: marks).draw(&$0) }
            }
            page.element("div", ["class": "panels"]) { TripTimeline(trial: trial, rows: rows).draw(&$0) }
            if !cases.isEmpty {
                page.element("div", ["class": "cases"]) { page in
                    for one in cases { one.draw(&page) }
                }
            }
            TripTableSet.rows(rows, of: trial, limit: Self.mostRows, &page)
        }
    }
}
