internal import TrackEngine

/// The results for a track as one JSON object: numbers in metres, seconds, bytes and megabytes.
package struct TuneJSON {
    private let tuning: Tuning
    private let files: [String]

    /// Creates the object for the results of files.
    package init(_ tuning: Tuning, files: [String]) {
        self.tuning = tuning
        self.files = files
    }

    /// The object with a line ending.
    package var bytes: [UInt8] {
        value.bytes + [UInt8(ascii: "\n")]
    }

    private var value: JSONValue {
        .object([
            .init("files", .array(files.map(JSONValue.string))),
            .init("track", track),
            .init("terms", terms),
            .init("rules", .array(tuning.outcomes.map(outcome))),
            .init("recommendations", .array(tuning.recommendations.map(recommendation))),
        ])
    }

    private var track: JSONValue {
        let track = tuning.track
        let refused = RejectionReason.allCases.compactMap { reason in
            track.refused[reason].map { JSONValue.Member(reason.name, .number(Double($0))) }
        }
        return .object([
            .init("read", .number(Double(track.read))),
            .init("fixes", .number(Double(track.fixes.count))),
            .init("parked", .number(Double(track.parkedFixes))),
            .init("refused", .object(refused)),
            .init("leftOut", .number(Double(track.leftOut))),
            .init("recordedSeconds", Self.rounded(track.recordedSeconds)),
            .init("length", Self.rounded(track.length)),
            .init("longestGap", Self.rounded(track.longestGap.inSeconds)),
        ])
    }

    private var terms: JSONValue {
        .object([
            .init("batchSize", .number(Double(tuning.terms.batchSize))),
            .init("wire", .string(tuning.terms.wire.rawValue)),
            .init("hoursPerMonth", .number(tuning.terms.budget.hoursPerMonth)),
        ])
    }

    private func outcome(_ outcome: RuleOutcome) -> JSONValue {
        .object([
            .init("rule", .string(outcome.rule.label)),
            .init("settings", .object(outcome.rule.settings.map { .init($0.key, Self.setting($0.value)) })),
            .init("bound", outcome.rule.bound.map(JSONValue.number) ?? .null),
            .init("records", .number(Double(outcome.records))),
            .init("recordsPerHour", Self.rounded(outcome.recordsPerHour)),
            .init("bytes", .object(Wire.allCases.map { .init($0.rawValue, .number(Double(outcome.bytes[$0]))) })),
            .init("megabytesPerMonth", tuning.megabytesPerMonth(outcome).map(Self.rounded) ?? .null),
            .init(
                "error",
                .object([
                    .init("largest", Self.rounded(outcome.error.largest)),
                    .init("mean", Self.rounded(outcome.error.mean)),
                    .init("percentile95", Self.rounded(outcome.error.percentile95)),
                ])),
            .init("longestSilence", Self.rounded(outcome.longestSilence.inSeconds)),
        ])
    }

    private func recommendation(_ recommendation: Recommendation) -> JSONValue {
        let wish: JSONValue.Member
        switch recommendation.wish {
        case .error(let metres): wish = .init("error", .number(metres))
        case .megabytesPerMonth(let most): wish = .init("megabytesPerMonth", .number(most))
        }
        return .object([
            .init("wish", .object([wish])), .init("choices", .array(recommendation.choices.map(outcome))),
            .init("concession", recommendation.concession.map(outcome) ?? .null),
        ])
    }

    /// A number rounded to a thousandth.
    private static func rounded(_ value: Double) -> JSONValue {
        .number((value * 1000).rounded() / 1000)
    }

    private static func setting(_ text: String) -> JSONValue {
        switch text {
        case "true": .boolean(true)
        case "false": .boolean(false)
        default: Double(text).map(JSONValue.number) ?? .string(text)
        }
    }
}
