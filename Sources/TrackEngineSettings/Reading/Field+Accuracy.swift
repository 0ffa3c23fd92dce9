public import TrackEngine

extension Field {
    /// The required accuracy of positions: a name, or a number as in Core Location.
    public static func desiredAccuracy(
        _ name: String, _ path: any WritableKeyPath<Section, DesiredAccuracy> & Sendable
    ) -> Field { value(name, path, .desiredAccuracy, show: { .text($0.name) }) }
}

extension ValueRule<DesiredAccuracy> {
    /// A number as in Core Location, or a name.
    public static var desiredAccuracy: ValueRule {
        let names = DesiredAccuracy.allCases.map(\.name).inWords
        return ValueRule(.word, "\(names), or -2, -1, 10, 100, 1000, 3000") { DesiredAccuracy($0) }
    }
}

extension DesiredAccuracy {
    /// Reads a name or a number; `nil` for any other node.
    package init?(_ node: ConfigurationNode) {
        let named = Self.allCases.first { $0.name == node.text }
        guard let accuracy = node.number.map(DesiredAccuracy.init(rawValue:)) ?? named else { return nil }
        self = accuracy
    }

    /// The name in the configuration.
    package var name: String {
        switch self {
        case .bestForNavigation: "bestForNavigation"
        case .best: "best"
        case .tenMeters: "tenMeters"
        case .hundredMeters: "hundredMeters"
        case .kilometer: "kilometer"
        case .threeKilometers: "threeKilometers"
        }
    }
}
