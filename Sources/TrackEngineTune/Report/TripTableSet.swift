internal import TrackEngine
internal import TrackEngineSettings

/// The tables of the page on stops and trips.
enum TripTableSet {
    /// Writes the scores at each duration.
    static func scores(_ scores: [StopScore], _ page: inout Markup) {
        table("Scores", ScoreTable.titles, &page) { body in
            for (duration, score) in zip(TripTrial.durations, scores) {
                body.element("tr") { row in
                    let cells = ScoreTable.cells(score, of: duration)
                    row.element("th", ["scope": "row"], text: cells[0])
                    for cell in cells.dropFirst() { row.element("td", text: cell) }
                }
            }
        }
    }

    /// Writes the findings in a track, at most `limit` rows.
    static func rows(_ rows: [TripRow], of trial: TripTrial, limit: Int, _ page: inout Markup) {
        table("Stops and trips", ["", "From s", "To s", "Lasts", "Labels", "What"], &page) { body in
            for row in rows.prefix(limit) {
                body.element("tr", ["class": row.word.isEmpty ? "v-plain" : "v-\(row.word)"]) { line in
                    line.element("th", ["scope": "row"], text: row.title)
                    line.element("td", text: trial.offset(row.span.begin).fixed(0))
                    line.element("td", text: trial.offset(row.span.end).fixed(0))
                    line.element("td", text: Duration.seconds(row.span.length).clock)
                    line.element("td", ["class": "tag"], text: row.word)
                    line.element("td", ["class": "what"], text: row.details)
                }
            }
        }
        if rows.count > limit { page.element("p", text: "\(rows.count - limit) more rows are not shown.") }
    }

    private static func table(
        _ name: String, _ titles: [String], _ page: inout Markup, _ body: (inout Markup) -> Void
    ) {
        page.element("div", ["class": "scroll", "tabindex": "0", "role": "region", "aria-label": name]) { page in
            page.element("table") { page in
                page.element("thead") { page in
                    page.element("tr") { row in
                        for title in titles {
                            row.element("th", ["scope": "col", "class": title == "What" ? "what" : "num"], text: title)
                        }
                    }
                }
                page.element("tbody") { body(&$0) }
            }
        }
    }
}
