public import TrackEngine

/// A type of source that configurations can name.
///
/// A source's target declares one, `public static let plugin`, and an agent lists it among its plugins. No other part
/// of an agent knows the type.
public struct SourcePlugin: Sendable {
    /// The word after `type:`.
    public var type: String { settings.type }
    /// The type of the source's settings.
    package let settings: any SourceSettings.Type
    /// Detects a source of this type for an agent without configured sources.
    package let detection: Detection?

    /// A plugin with these settings.
    ///
    /// - Parameters:
    ///   - settings: the type of the settings, read from the source's table of the configuration.
    ///   - detection: for an agent without a configuration; `nil` if the type is used only when it is configured.
    public init(_ settings: any SourceSettings.Type, detection: Detection? = nil) {
        self.settings = settings
        self.detection = detection
    }

    /// Decides whether an agent without configured sources uses one with default settings.
    public struct Detection: Sendable {
        /// Whether the source has data to read now.
        public var isPresent: @Sendable () async -> Bool
        /// The message if the source is present: `gpsd answers on localhost:2947: fixes come from it`.
        public var present: String
        /// The message if it is absent, printed before the ``present`` of the next one: `no gpsd on localhost:2947`.
        public var absent: String
        /// The rest of the configuration of an agent that runs with this source only to show what it does; `nil` for a
        /// source with real fixes.
        package var demonstration: Demonstration?

        /// A detection by `isPresent`.
        public init(present: String, absent: String, isPresent: @escaping @Sendable () async -> Bool) {
            self.isPresent = isPresent
            self.present = present
            self.absent = absent
        }
    }

    /// The configuration of an agent without a configuration file whose source shows what the agent does.
    package struct Demonstration: Sendable {
        /// The settings of the source, in place of the defaults.
        package let source: any SourceSettings
        /// A configuration file without sources, as YAML.
        package let configuration: String

        package init(source: any SourceSettings, configuration: String) {
            self.source = source
            self.configuration = configuration
        }
    }
}

/// The settings of a type of source.
public protocol SourceSettings: PluginSettings {
    /// Creates the sources that the settings describe; none of them runs yet.
    ///
    /// - Throws: the problems that only the source itself can find, under its own keys.
    func makeSources(named name: SourceID, _ context: PluginContext) throws(ConfigurationError) -> [any FixSource]
}

/// The settings of a source that replays recordings.
public protocol RecordedSettings: SourceSettings {
    /// Requests the replay from the start, even if the store has records of it.
    mutating func startOver()
}
