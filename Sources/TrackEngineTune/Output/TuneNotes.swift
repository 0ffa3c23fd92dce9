internal import TrackEngineSettings

/// Notes for readers of the figures.
package struct TuneNotes {
    private let terms: Tuning.Options

    /// The notes for figures under these terms.
    package init(_ terms: Tuning.Options) {
        self.terms = terms
    }

    /// One note each.
    package var lines: [String] {
        [
            "* your configuration; the other rules have everything but the rule from it. > recommended below.",
            "Error: the distance between each fix and the place that the records give for its time, in a straight line "
                + "and evenly from one record to the next. Over ground, without heights, and without the fixes "
                + "that only drift while the object is parked.",
            "Bytes: both directions, \(terms.batchSize) records a request or batch, one a message in MQTT (5, QoS 1, "
                + "format trackengine); an HTTP answer of \(WireByteCount.answerLength) bytes assumed; without connecting, "
                + "TLS, TCP and IP.",
            "An hour: of recording; gaps of over \(RecordedTime.longestGap.spoken) between fixes do not count. "
                + "Silence: the longest time from record to record.",
        ]
    }
}

extension String {
    /// The text in lines of at most `width` characters, broken at blanks; all lines but the first are indented by
    /// two.
    package func wrapped(to width: Int) -> [String] {
        var lines: [String] = []
        var line = ""
        for word in split(separator: " ") {
            if !line.isEmpty, line.count + 1 + word.count > width {
                lines.append(line)
                line = "  " + word
            } else {
                line += (line.isEmpty ? "" : " ") + word
            }
        }
        return lines + (line.isEmpty ? [] : [line])
    }
}
