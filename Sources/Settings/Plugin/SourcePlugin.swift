public import TrackEngine

/// A type of source that configurations can name.
///
/// A source's target declares one, `public static let plugin`, and an agent takes it among its plugins; nothing else of an
/// agent knows the type.
public struct SourcePlugin: Sendable {
    /// The word after `type:`.
    public var type: String { settings.type }
    /// What its settings are read into.
    package let settings: any SourceSettings.Type
    /// How an agent that was told of no source finds out whether there is one of this type.
    package let detection: Detection?

    /// A plugin with these settings.
    ///
    /// - Parameters:
    ///   - settings: what the source's table of the configuration is read into.
    ///   - detection: for an agent without a configuration; `nil` if the type is never taken unasked.
    public init(_ settings: any SourceSettings.Type, detection: Detection? = nil) {
        self.settings = settings
        self.detection = detection
    }

    /// How an agent that was told of no source decides for or against one with default settings.
    public struct Detection: Sendable {
        /// Whether the source has something to read from now.
        public var isPresent: @Sendable () async -> Bool
        /// What holds if it is: `gpsd answers on localhost:2947: fixes come from it`.
        public var present: String
        /// What holds if it is not, to stand before the next one's ``present``: `no gpsd on localhost:2947`.
        public var absent: String

        /// A detection by `isPresent`.
        public init(present: String, absent: String, isPresent: @escaping @Sendable () async -> Bool) {
            self.isPresent = isPresent
            self.present = present
            self.absent = absent
        }
    }
}

/// The settings of a type of source.
public protocol SourceSettings: PluginSettings {
    /// The sources that the settings describe, nothing of them running yet.
    ///
    /// - Throws: what only the source itself can find wrong, under its own keys.
    func makeSources(named name: SourceID, _ context: PluginContext) throws(ConfigurationError) -> [any FixSource]
    /// Has a recording replayed from its start, whatever the store has of it. Does nothing by default.
    mutating func startOver()
    /// Whether the sources tell where the tracked object is. `false` for those that tell only of others; `true` by default.
    var tellsOwnPlace: Bool { get }
    /// The devices that the source follows; `nil`, the default, for one that follows none.
    func followList(named name: SourceID, _ context: PluginContext) -> (any FollowList)?
}

extension SourceSettings {
    /// Changes nothing.
    public mutating func startOver() {}
    /// They do.
    public var tellsOwnPlace: Bool { true }
    /// None.
    public func followList(named name: SourceID, _ context: PluginContext) -> (any FollowList)? { nil }
}
