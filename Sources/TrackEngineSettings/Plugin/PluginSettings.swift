/// The settings of one type of source or sink, as a table of fields.
///
/// A plugin's settings are a value: reading them opens no files and resolves no secrets.
public protocol PluginSettings: Sendable, Hashable {
    /// The word after `type:`, by which a configuration chooses the plugin.
    static var type: String { get }
    /// A one-sentence description of the type for the reference. Empty by default.
    static var summary: String { get }
    /// The keys, in the order in which they are shown.
    static var fields: [Field<Self>] { get }
    /// The defaults.
    init()
    /// Reports problems beyond single fields: missing keys, contradictions. Reports none by default.
    mutating func check(_ table: inout TableDecoder)
}

extension PluginSettings {
    /// No description.
    public static var summary: String { "" }

    /// Finds no problems.
    public mutating func check(_ table: inout TableDecoder) {}

    /// Whether the other settings are of the same type with the same values.
    package func isEqual(to other: any PluginSettings) -> Bool { (other as? Self) == self }

    /// Reads the keys of this type.
    package mutating func read(_ table: inout TableDecoder) {
        for field in Self.fields { field.read(&table, &self) }
        check(&table)
    }

    /// Whether a key has a value that is not `null`.
    package func gives(_ key: String) -> Bool {
        shown.contains { $0.key == key && $0.value != .word("null") }
    }

    fileprivate var shown: [ConfigurationValue.Member] {
        Self.fields.map { ConfigurationValue.Member(key: $0.name, value: $0.show(self)) }
    }
}

extension ConfigurationValue {
    /// A source or sink: type and name first, then the keys of the type, then the common keys.
    package static func element(_ settings: any PluginSettings, name: String, _ common: [Member] = [])
        -> ConfigurationValue
    {
        let type = Swift.type(of: settings).type
        let head = [Member(key: "type", value: .text(type)), Member(key: "name", value: .text(name))]
        return .table(head + settings.shown + common)
    }

    /// A section with a type: the type first, then the common keys, then the keys of this type.
    package static func section(_ settings: any PluginSettings, _ common: [Member]) -> ConfigurationValue {
        let type = Swift.type(of: settings).type
        return .table([Member(key: "type", value: .text(type))] + common + settings.shown)
    }
}

extension TableDecoder {
    /// The plugin that the key `type` names; `nil` for none or an unknown one, which is reported.
    package mutating func plugin<Plugin>(of plugins: [Plugin], _ word: (Plugin) -> String) -> Plugin? {
        let words = plugins.map(word)
        guard let text = node("type")?.text, let index = words.firstIndex(of: text) else {
            let hint = node("type")?.text.flatMap { Suggestion.nearest(to: $0, in: words) }
            reject("type", nil, words.inWords + (hint.map { "; did you mean \($0)?" } ?? ""))
            return nil
        }
        return plugins[index]
    }
}
