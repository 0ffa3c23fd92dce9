public import TrackEngine

extension Field {
    /// How exact positions need to be: a name, or a number as in Core Location.
    public static func desiredAccuracy(
        _ name: String, _ path: any WritableKeyPath<Section, DesiredAccuracy> & Sendable
    ) -> Field {
        value(name, path, .desiredAccuracy, show: { .text($0.word) })
    }

    /// The same, or `null`.
    package static func desiredAccuracy(
        _ name: String, _ path: any WritableKeyPath<Section, DesiredAccuracy?> & Sendable
    ) -> Field {
        value(name, path, .desiredAccuracy, show: { .text($0.word) })
    }
}

extension ValueRule<DesiredAccuracy> {
    fileprivate static var desiredAccuracy: ValueRule {
        let names = DesiredAccuracy.allCases.map(\.word).inWords
        return ValueRule(.word, "\(names), or -2, -1, 10, 100, 1000, 3000") { DesiredAccuracy($0) }
    }
}

extension DesiredAccuracy {
    /// Reads a name or a number; `nil` for anything else.
    package init?(_ node: ConfigurationNode) {
        let named = Self.allCases.first { $0.word == node.text }
        guard let accuracy = node.number.map(DesiredAccuracy.init(rawValue:)) ?? named else { return nil }
        self = accuracy
    }

    fileprivate var word: String {
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
