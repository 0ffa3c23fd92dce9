/// How bytes of a recording become megabytes a month.
public struct DataBudget: Sendable, Hashable {
    /// The hours of a month of 365.25 / 12 days.
    public static let wholeMonth = 730.5

    /// How many hours a month are recorded.
    public let hoursPerMonth: Double

    /// A month with so many hours like those of the recording.
    ///
    /// - Parameter hoursPerMonth: more than 0; by default all of them, ``wholeMonth``.
    public init(hoursPerMonth: Double = wholeMonth) {
        self.hoursPerMonth = hoursPerMonth
    }

    /// Megabytes (10⁶ bytes) a month, for bytes that a recording of so many hours takes; `nil` for one without length.
    package func megabytes(_ bytes: Int, in hours: Double) -> Double? {
        hours > 0 ? Double(bytes) / hours * hoursPerMonth / 1e6 : nil
    }
}
