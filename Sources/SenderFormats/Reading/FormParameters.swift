import TrackEngineSettings

/// The parameters of a query or of a form (`application/x-www-form-urlencoded`), where a plus sign is a blank.
///
/// Of a name that is given more than once the first counts. Parameters that are broken are left out.
package struct FormParameters: Sendable, Hashable {
    /// How many parameters are read.
    package static let maximumCount = 64

    private var values: [String: String] = [:]

    /// No parameters.
    package init() {}

    /// Reads `name=value&…`; names become lower-case.
    package init(_ text: some StringProtocol) {
        for parameter in text.split(separator: "&").prefix(Self.maximumCount) {
            let pair = parameter.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard let name = Self.decoded(pair[0]), let value = Self.decoded(pair.count == 2 ? pair[1] : "") else {
                continue
            }
            let key = name.lowercased()
            if values[key] == nil { values[key] = value }
        }
    }

    /// The value of the first of some names that is given and not empty.
    package subscript(names: String...) -> String? {
        for name in names {
            if let value = values[name], !value.isEmpty { return value }
        }
        return nil
    }

    /// Whether there is none.
    package var isEmpty: Bool { values.isEmpty }

    /// These parameters, and those of others that are not given here.
    package func merging(_ others: FormParameters) -> FormParameters {
        var merged = self
        merged.values.merge(others.values) { mine, _ in mine }
        return merged
    }

    private static func decoded(_ text: some StringProtocol) -> String? {
        PercentEncoding.decoded(String(text.map { $0 == "+" ? " " : $0 }))
    }
}

extension SenderRequest {
    /// The parameters of the query and, where the body is a form, of the body.
    var parameters: FormParameters {
        guard mediaType == "application/x-www-form-urlencoded" else { return query }
        return query.merging(FormParameters(String(decoding: body, as: UTF8.self)))
    }
}
