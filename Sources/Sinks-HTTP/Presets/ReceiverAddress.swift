/// Functions that complete a receiver's address with a known path and query.
enum ReceiverAddress {
    /// The address with the path appended, unless it already ends with it, and with each parameter that it lacks.
    ///
    /// - Parameters:
    ///   - url: The user's text: the receiver's address, with or without path and query.
    ///   - path: The end of the path, `""` for none; if it ends with a slash, so does the address.
    ///   - others: Path endings that the receiver shows for other apps, which the path replaces.
    ///   - parameters: Parameters in the form `name=value`.
    static func completed(_ url: String, path: String, others: [String] = [], parameters: [String] = []) -> String {
        var (base, query) = halves(of: url)
        let slashed = base.hasSuffix("/") ? base : base + "/"
        if !path.isEmpty, !slashed.hasSuffix(path.hasSuffix("/") ? path : path + "/") {
            if let other = others.first(where: { slashed.hasSuffix($0 + "/") }) {
                base = String(slashed.dropLast(other.count + 1))
            }
            base += path.hasPrefix("/") && base.hasSuffix("/") ? String(path.dropFirst()) : path
        } else if path.hasSuffix("/"), !base.hasSuffix("/") {
            base += "/"
        } else if !path.isEmpty, !path.hasSuffix("/"), base.hasSuffix("/") {
            base.removeLast()
        }
        let given = Set(query.map { $0.prefix { $0 != "=" } })
        query += parameters.filter { !given.contains($0.prefix { $0 != "=" }) }
        return base + (query.isEmpty ? "" : "?" + query.joined(separator: "&"))
    }

    /// The address without parameters that an app would fill in.
    static func withoutPlaceholders(_ url: String) -> String {
        let isOfPhoneTrack = url.contains("/apps/phonetrack/")
        return keeping(in: url) { !isPlaceholder($0, isBare: isOfPhoneTrack) }
    }

    /// The address with a field of ours in place of each word that an app would fill in, and the parameters with one
    /// behind all others; `nil` where none of them is a place. Parameters without a corresponding field are left out.
    static func filled(_ url: String) -> String? {
        let (base, query) = halves(of: url)
        let filled = query.filter { isPlaceholder($0, isBare: false) }.compactMap { parameter -> String? in
            let (name, value) = nameAndValue(of: parameter)
            return AppLinkText(value).filled().map { name + $0 }
        }
        let path = AppLinkText(base).filled(isPath: true) ?? base
        guard
            ["%{latitude}", "%{longitude}"].allSatisfy({ field in (filled + [path]).contains { $0.contains(field) } })
        else { return nil }
        let others = query.filter { !isPlaceholder($0, isBare: false) }
        return path + (query.isEmpty ? "" : "?" + (others + filled).joined(separator: "&"))
    }

    /// The first word beside other text that an app would fill in, and for which there is no field.
    static func unknownPlaceholder(in url: String) -> String? {
        let (base, query) = halves(of: url)
        let values = query.map { nameAndValue(of: $0).value }
        return ([base] + values).lazy.compactMap { AppLinkText($0).unknownBesideOthers }.first
    }

    /// The address without parameters of some names.
    ///
    /// - Parameter parameters: Parameters in the form `name=value`.
    static func without(_ parameters: [String], _ url: String) -> String {
        let names = Set(parameters.map { $0.prefix { $0 != "=" } })
        return keeping(in: url) { !names.contains($0.prefix { $0 != "=" }) }
    }

    private static func keeping(in url: String, _ isKept: (String) -> Bool) -> String {
        let (base, query) = halves(of: url)
        let kept = query.filter(isKept)
        return kept.count == query.count ? url : base + (kept.isEmpty ? "" : "?" + kept.joined(separator: "&"))
    }

    /// Whether an address has words that an app would fill in.
    static func hasPlaceholders(_ url: String) -> Bool { AppLinkText(url).hasPlaceholders }

    /// The names of the parameters of an address.
    static func names(in url: String) -> Set<String> {
        Set(halves(of: url).query.map { String($0.prefix { $0 != "=" }) })
    }

    /// The address before its query, and the parameters of the query.
    private static func halves(of url: String) -> (base: String, query: [String]) {
        let halves = url.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        return (
            halves.first.map(String.init) ?? "",
            halves.count == 2 ? halves[1].split(separator: "&").map(String.init) : []
        )
    }

    /// The name of a parameter with the equals sign, and its value.
    private static func nameAndValue(of parameter: String) -> (name: String, value: String) {
        guard let equals = parameter.firstIndex(of: "=") else { return ("", parameter) }
        return (String(parameter[...equals]), String(parameter[equals...].dropFirst()))
    }

    /// Whether an app would fill in the value of a parameter, or a part of it.
    ///
    /// - Parameter isBare: Whether the word may lack its percent sign (`LAT`), as in PhoneTrack's links.
    private static func isPlaceholder(_ parameter: String, isBare: Bool) -> Bool {
        let value = nameAndValue(of: parameter).value
        return AppLinkText(value).hasPlaceholders || isBare && AppLinkText.isWord(value)
    }
}
