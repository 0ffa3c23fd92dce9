/// A value of a configuration: its name, the property that has it, the valid values, and its meaning.
///
/// A configuration has one table of settings. It checks the values that a program sets, and an agent makes the keys of
/// its configuration file from it.
package struct Setting<Section>: Sendable {
    /// The name of the property and of the key.
    package let name: String
    /// The property with the valid values.
    package let rule: Rule
    /// The meaning in one sentence.
    package private(set) var meaning = ""

    /// A property with its valid values: a range or, for `positive`, all values above 0 up to a bound, with the unit.
    /// An optional value is off if it is `nil`.
    package enum Rule: Sendable {
        case flag(Path<Bool>)
        case accuracy(Path<DesiredAccuracy>)
        case record(Path<RecordingRule>)
        case integer(Path<Int>, ClosedRange<Int>, String)
        case optionalInteger(Path<Int?>, ClosedRange<Int>, String)
        /// 0, which sets no limit, or a number in the range.
        case limit(Path<Int64>, ClosedRange<Int64>)
        case number(Path<Double>, ClosedRange<Double>, String = "")
        case positive(Path<Double>, upTo: Double, String)
        case optionalPositive(Path<Double?>, upTo: Double, String)
        case seconds(Path<Duration>, ClosedRange<Double>)
        case optionalSeconds(Path<Duration?>, ClosedRange<Double>)
    }

    package typealias Path<Value> = any WritableKeyPath<Section, Value> & Sendable

    package init(_ name: String, _ rule: Rule) { (self.name, self.rule) = (name, rule) }

    /// Returns the setting with its meaning.
    package func meaning(_ meaning: String) -> Setting {
        var setting = self
        setting.meaning = meaning
        return setting
    }
}

extension ConfigurationCheck {
    /// Checks the values of a configuration by its table.
    package mutating func values<Section>(
        of section: Section, _ settings: [Setting<Section>], under prefix: String = ""
    ) {
        for setting in settings {
            let name = prefix + setting.name
            switch setting.rule {
            case .flag, .accuracy, .record: break
            case .integer(let path, let values, let unit): range(name, section[keyPath: path], values, unit)
            case .optionalInteger(let path, let values, let unit):
                if let value = section[keyPath: path] { range(name, value, values, unit) }
            case .limit(let path, let values):
                let value = section[keyPath: path]
                guard value != 0, !values.contains(value) else { continue }
                problem(name, "\(value)", "0 (no limit) or at least \(values.lowerBound) bytes")
            case .number(let path, let values, let unit): range(name, section[keyPath: path], values, unit)
            case .positive(let path, let bound, let unit): positive(name, section[keyPath: path], upTo: bound, unit)
            case .optionalPositive(let path, let bound, let unit):
                positive(name, section[keyPath: path], upTo: bound, unit)
            case .seconds(let path, let values): seconds(name, section[keyPath: path], within: values)
            case .optionalSeconds(let path, let values): seconds(name, section[keyPath: path], within: values)
            }
        }
    }
}
