extension Mirror {
    /// The stored properties of a value by their paths, in words.
    ///
    /// - Parameter parts: The types that are walked into; the properties of any other are one property as a whole.
    package static func storedProperties(of value: Any, parts: Set<String>, at path: String = "") -> [String: String] {
        var found: [String: String] = [:]
        for child in Mirror(reflecting: value).children {
            guard let label = child.label else { continue }
            let place = path.isEmpty ? label : "\(path).\(label)"
            let content = Mirror(reflecting: child.value)
            let inner: Any? =
                if content.displayStyle == .optional { content.children.first?.value } else { child.value }
            if let inner, parts.contains("\(type(of: inner))") {
                found.merge(storedProperties(of: inner, parts: parts, at: place)) { first, _ in first }
            } else {
                found[place] = "\(child.value)"
            }
        }
        return found
    }
}
