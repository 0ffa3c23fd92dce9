import Glibc

/// A text that is a path.
extension String {
    /// The directory of a path.
    var directory: String {
        guard let slash = lastIndex(of: "/") else { return "." }
        return slash == startIndex ? "/" : String(self[..<slash])
    }

    /// The path with links resolved; `nil` if it does not exist.
    var realPath: String? {
        guard let real = realpath(self, nil) else { return nil }
        defer { free(real) }
        return String(cString: real)
    }
}
