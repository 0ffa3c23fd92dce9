import TrackEngine
import TrackEngineFiles
import TrackEngineSettings

/// The parameters of a query or of a form (`application/x-www-form-urlencoded`), where a plus sign is a blank.
///
/// If a name occurs more than once, the first value counts. A value with broken escapes counts as present but
/// unreadable; a parameter with an unreadable name is left out.
package struct ParameterList: Sendable, Hashable {
    /// The most bytes that are read.
    package static let maximumLength = 65_536
    /// The most parameters that are read.
    package static let maximumCount = 256

    private var values: [String: String] = [:]
    /// The names of values that cannot be decoded.
    private var broken: Set<String> = []

    /// No parameters.
    package init() {}

    /// Reads `name=value&…`; names become lower-case.
    package init(_ text: some StringProtocol) { self.init(Array(text.utf8.prefix(Self.maximumLength))) }

    /// Reads `name=value&…` from bytes.
    package init(_ bytes: [UInt8]) {
        let parameters = bytes.prefix(Self.maximumLength).split(
            separator: UInt8(ascii: "&"), maxSplits: Self.maximumCount)
        for parameter in parameters.prefix(Self.maximumCount) {
            let pair = parameter.split(separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
            guard let name = Self.decoded(pair[0]) else { continue }
            set(name, Self.decoded(pair.count == 2 ? pair[1] : []))
        }
    }

    /// Sets a parameter that is not given yet; `nil` for a value that cannot be decoded.
    mutating func set(_ name: String, _ value: String?) {
        let key = name.lowercased()
        guard values[key] == nil, !broken.contains(key) else { return }
        values[key] = value
        if value == nil { broken.insert(key) }
    }

    /// The value of the first of some names that is given and not empty.
    package subscript(names: String...) -> String? {
        for name in names {
            if let value = values[name], !value.isEmpty { return value }
        }
        return nil
    }

    /// The first value of some names that can be read.
    func first<Value>(_ names: String..., read: (String) -> Value?) -> Value? {
        for name in names {
            if let value = values[name].flatMap(read) { return value }
        }
        return nil
    }

    /// The time under the first of some names with a readable one; where none is given, under another usual name with
    /// a readable time. Without any, the time of the request.
    func time(under names: String..., ifAbsent time: Timestamp) -> Timestamp? {
        func first(_ names: [String]) -> Timestamp? {
            names.lazy.compactMap { values[$0].flatMap { Timestamp(sent: $0) } }.first
        }
        guard names.allSatisfy({ values[$0] == nil && !broken.contains($0) }) else { return first(names) }
        let others = ["fixtime", "gpstime", "gps_time", "utc", "utctime", "datetime", "tst", "unixtime", "epoch"]
        // These names also have other meanings, such as a flag or the seconds of a week.
        return first(others).flatMap { $0.isOfUnsetClock ? nil : $0 } ?? time
    }

    /// Whether there is a name besides some.
    func hasOthers(than names: Set<String>) -> Bool {
        values.keys.contains { !names.contains($0) } || broken.contains { !names.contains($0) }
    }

    /// Whether one of some names is given with a value, readable or not.
    func has(_ names: String...) -> Bool { names.contains { values[$0]?.isEmpty == false || broken.contains($0) } }

    /// Whether one of some names is present, with or without a value.
    func names(_ names: String...) -> Bool { names.contains { values[$0] != nil || broken.contains($0) } }

    /// Returns the first of some names with a value that is present but cannot be read as a number.
    func unreadable(_ names: [String]) -> String? {
        names.first { broken.contains($0) || values[$0].map { !$0.saysNothing && Double(sent: $0) == nil } == true }
    }

    /// A number under the first of some names that has one.
    func number(_ names: [String]) -> Double? {
        for name in names {
            if let value = values[name].flatMap({ Double(sent: $0) }) { return value }
        }
        return nil
    }

    /// Whether there is none.
    package var isEmpty: Bool { values.isEmpty && broken.isEmpty }

    /// Returns these parameters, together with those of others that are not present here.
    package func merging(_ others: ParameterList) -> ParameterList {
        var merged = self
        merged.values.merge(others.values.filter { !broken.contains($0.key) }) { mine, _ in mine }
        merged.broken.formUnion(others.broken.filter { values[$0] == nil })
        return merged
    }

    private static func decoded(_ bytes: ArraySlice<UInt8>) -> String? {
        let text = bytes.map { $0 == UInt8(ascii: "+") ? UInt8(ascii: " ") : $0 }
        return String(validating: text, as: UTF8.self).flatMap { PercentEncoding.decoded($0) }
    }
}

extension SenderRequest {
    /// The parameters of the query and, where the body is a form or no format is given at all, of the body.
    var parameters: ParameterList {
        let isForm = mediaType == "application/x-www-form-urlencoded" || mediaType.isEmpty && query.isEmpty
        return isForm ? query.merging(ParameterList(body)) : query
    }
}
