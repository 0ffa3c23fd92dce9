import TrackEngineSettings

/// The fields that the Overland app replaces in its address, such as `%LAT`. `OverlandSink` rejects them, because
/// the body contains these values. ``HTTPSink`` supports an address with fields.
enum OverlandAddressField {
    private static let names = ["LAT", "LON", "TS", "ACC", "SPD", "ALT", "BAT"]

    /// The expectation for an address with a field; `nil` for one without.
    static func expectation(for url: String) -> String? {
        first(in: url).map { "no \($0), which each request has itself; type http sends an address with fields" }
    }

    /// The first field of an address, with its percent sign; `nil` for an address without one.
    ///
    /// `%AC` and `%BA` may also be escapes: directly after another escape, as in `%E2%82%ACC`, they count as the
    /// rest of a character.
    private static func first(in url: String) -> String? {
        var previousEscapeEnd: String.Index?
        var rest = url[...]
        while let percent = rest.firstIndex(of: "%") {
            rest = rest[percent...].dropFirst()
            let digits = rest.prefix(2)
            let isEscape = digits.count == 2 && digits.allSatisfy { $0.isASCII && $0.isHexDigit }
            let continues = isEscape && previousEscapeEnd == percent
            if !continues, let name = names.first(where: { rest.hasPrefix($0) }) { return "%" + name }
            if isEscape { previousEscapeEnd = digits.endIndex }
        }
        return nil
    }
}
