import Glibc

/// The variables of this process.
package enum ProcessEnvironment {
    /// All variables that are UTF-8 text; the first of several with one name counts, as for `getenv`.
    package static var current: [String: String] {
        var variables: [String: String] = [:]
        var next = environ
        while let variable = next.pointee {
            let pair = String(cString: variable).split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            if pair.count == 2, variables[String(pair[0])] == nil { variables[String(pair[0])] = String(pair[1]) }
            next += 1
        }
        return variables
    }
}
