/// What a workload starts from and what it does most.
package enum Scenario: String, Sendable, CaseIterable {
    /// A fresh store that is filled, delivered from, pruned, closed and opened again.
    case ordinary
    /// A store of an earlier release.
    case migration
    /// A store with a damaged page, as a killed process left it.
    case salvage
    /// A store whose quota is reached again and again.
    case quota

    /// The bound on the store's bytes; 0 for none.
    var maxBytes: Int64 { self == .quota ? 1 << 20 : 0 }

    /// How many records one append brings at most.
    var largestAppend: Int { self == .quota ? 600 : 9 }

    /// How many records one delivery takes at most.
    var largestDelivery: Int { self == .quota ? 150 : 18 }
}

/// A store that breaks the promise on purpose, to show that the harness notices.
package enum Mutant: String, Sendable, CaseIterable {
    /// An append returns before its commit.
    case confirmsBeforeCommit = "confirm-before-commit"
    /// A sink's cursor moves before its receiver has the records.
    case settlesBeforeDelivery = "settle-before-delivery"
    /// A damaged database is copied straight into the place of the new one.
    case salvagesInPlace = "salvage-in-place"
}
