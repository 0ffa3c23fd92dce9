/// The numbers of one name, as they are at one moment.
package struct OpenMetricsFamily: Sendable, Hashable {
    /// The kind of number that it holds, in the words of OpenMetrics.
    package enum Kind: String, Sendable, Hashable {
        /// A number that only grows.
        case counter
        /// A number that goes up and down.
        case gauge
        /// The number of values and their sum.
        case summary
    }

    /// A label, which distinguishes a number from the others of its family.
    package struct Label: Sendable, Hashable {
        package let name: String
        package let value: String
    }

    /// A recorded value.
    package enum Value: Sendable, Hashable {
        /// A count or a level.
        case number(Double)
        /// The number of values and their sum; times are in seconds.
        case summary(count: Int64, sum: Double)
    }

    /// A number and its labels.
    package struct Number: Sendable, Hashable {
        package let labels: [Label]
        package let value: Value
    }

    /// The name without the suffix that OpenMetrics adds.
    package let name: String
    package let kind: Kind
    /// In the order of their labels' values.
    package let samples: [Number]
}
