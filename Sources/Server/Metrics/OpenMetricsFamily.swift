/// The numbers of one name, as they are at one moment.
package struct OpenMetricsFamily: Sendable, Hashable {
    /// What sort of number it holds, in the words of OpenMetrics.
    package enum Kind: String, Sendable, Hashable {
        /// A number that only grows.
        case counter
        /// A number that goes up and down.
        case gauge
        /// How many values there were, and what they make together.
        case summary
    }

    /// What tells a number from the others of its family.
    package struct Label: Sendable, Hashable {
        package let name: String
        package let value: String
    }

    /// What has been told.
    package enum Value: Sendable, Hashable {
        /// A count or a level.
        case number(Double)
        /// How many values there were, and what they make together; times are in seconds.
        case summary(count: Int64, sum: Double)
    }

    /// A number and its labels.
    package struct Sample: Sendable, Hashable {
        package let labels: [Label]
        package let value: Value
    }

    /// The name without what OpenMetrics puts behind it.
    package let name: String
    package let kind: Kind
    /// In the order of their labels' values.
    package let samples: [Sample]
}
