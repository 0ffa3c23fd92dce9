internal import TrackEngine
internal import TrackEngineSettings

/// The results for a track as one self-contained page: no script, no network, no external resource.
///
/// The page is HTML and well-formed XML, follows the system's light or dark colours, and stays below a megabyte for
/// tracks of any length: lines and dots are thinned to the resolution of a screen.
public struct TuneReport {
    private let tuning: Tuning
    private let files: [String]

    /// A page on the results for a track.
    ///
    /// - Parameters:
    ///   - tuning: the results.
    ///   - files: the names of the files of the track, for the page's title; of paths the last part.
    public init(_ tuning: Tuning, files: [String]) {
        self.tuning = tuning
        self.files = files
    }

    /// The page in UTF-8.
    public var bytes: [UInt8] {
        ReportPage.bytes(title, writeBody)
    }

    private var title: String { "Recording rules on " + ReportPage.names(files) }

    private func writeBody(_ page: inout Markup) {
        let map = TrackMap(tuning.track)
        map.define(&page)
        page.element("h1", text: title)
        page.element("p", ["class": "facts"], text: facts)
        for recommendation in tuning.recommendations { write(recommendation, &page) }
        page.element("h2", text: "All rules")
        OutcomeTable(tuning).write(&page)
        page.element("div", ["class": "wide"]) { RuleChart(tuning).draw(&$0) }
        page.element("h2", text: "Rule by rule")
        writeLegend(&page)
        for outcome in tuning.shown { RuleCard(outcome, tuning, map).write(&page) }
        page.element("h2", text: "How to read it")
        page.element("ul") { list in
            for note in TuneNotes(tuning.terms).lines + [RecommendationText.assumption(tuning)] {
                list.element("li", text: note)
            }
        }
    }

    private var facts: String {
        let track = tuning.track
        let start = track.fixes.first?.time.secondsText ?? ""
        return
            "\(track.fixes.count) fixes from \(start), \(Duration.seconds(track.recordedSeconds).spoken) of recording, "
            + "\((track.length / 1000).fixed(1)) km from fix to fix, longest gap between fixes \(track.longestGap.spoken)."
    }

    private func write(_ recommendation: Recommendation, _ page: inout Markup) {
        let words = RecommendationText(recommendation, tuning)
        let kind = recommendation.best.map { "advice k-\($0.rule.kind.rawValue)" } ?? "advice"
        page.element("section", ["class": kind]) { page in
            page.element("h2", text: words.heading)
            for sentence in words.sentences { page.element("p", text: sentence) }
            if let best = recommendation.best { page.element("pre") { $0.element("code", text: best.rule.yaml) } }
        }
    }

    private func writeLegend(_ page: inout Markup) {
        page.element(
            "p", ["class": "legend"],
            text:
                "Grey: the recorded fixes. Coloured dots: the records that the rule makes, and from near the straight "
                + "lines between them. Thick line: from the fix that is farthest off to where the records put it at that "
                + "moment. The charts have scales of their own.")
    }
}

extension Timestamp {
    /// The time with whole seconds: `2026-03-01T10:00:00Z`.
    fileprivate var secondsText: String {
        var bytes: [UInt8] = []
        appendRFC3339(to: &bytes, .seconds)
        return String(decoding: bytes, as: UTF8.self)
    }
}
