/// The number of occurrences of each case of an enumeration, for counts at every fix: one addition, where a dictionary
/// hashes the case with a keyed hash.
package struct CaseCounts<Case>: Sendable, Hashable
where Case: RawRepresentable<UInt8> & CaseIterable & Hashable & Sendable {
    /// By raw value. Empty until the first count, so that an unused value allocates no memory.
    private var counts: [Int] = []

    /// Creates counts of zero.
    package init() {}

    /// Creates counts from a dictionary.
    package init(_ dictionary: [Case: Int]) {
        for (key, count) in dictionary where count != 0 { add(count, of: key) }
    }

    /// The cases with counts other than zero.
    package var dictionary: [Case: Int] {
        var dictionary: [Case: Int] = [:]
        for key in Case.allCases where counts.indices.contains(Int(key.rawValue)) && counts[Int(key.rawValue)] != 0 {
            dictionary[key] = counts[Int(key.rawValue)]
        }
        return dictionary
    }

    package mutating func add(_ count: Int = 1, of key: Case) {
        let index = Int(key.rawValue)
        if index >= counts.count { counts += repeatElement(0, count: index + 1 - counts.count) }
        counts[index] += count
    }

    /// Adds the counts of another value.
    package mutating func add(_ other: CaseCounts) {
        if counts.isEmpty {
            counts = other.counts
        } else {
            for key in Case.allCases where other.counts.indices.contains(Int(key.rawValue)) {
                add(other.counts[Int(key.rawValue)], of: key)
            }
        }
    }
}
