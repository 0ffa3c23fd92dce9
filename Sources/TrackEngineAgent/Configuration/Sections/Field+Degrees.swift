import TrackEngineSettings

extension Field {
    /// An optional value in degrees.
    static func degrees(
        _ name: String, _ path: any WritableKeyPath<Section, Double?> & Sendable, _ range: ClosedRange<Double>
    ) -> Field {
        let rule = ValueRule<Double>(
            .number, "a number of degrees from \(Int(range.lowerBound)) to \(Int(range.upperBound))"
        ) {
            node in node.number.flatMap { range.contains($0) ? $0 : nil }
        }
        return value(name, path, rule, show: { .word("\($0)") })
    }
}
