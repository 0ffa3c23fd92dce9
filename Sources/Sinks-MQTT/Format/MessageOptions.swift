public import TrackEngine

/// What a sink's messages are like, and where they go.
public struct MessageOptions: Sendable, Hashable {
    /// Who shall understand the messages. Default ``RecordFormat/trackengine``.
    public var format: RecordFormat
    /// What topics begin with, `{base}` in a template: one level or several, at most 200
    /// bytes. Default `trackengine`.
    public var base: String
    /// The name of the tracked object, `{device}` in a template: one level of 1 to 128 bytes, without blanks at its ends.
    public var deviceID: DeviceID
    /// Whose it is, `{user}` in a template, which OwnTracks wants to know: one level, at most 200 bytes. Default
    /// `trackengine`.
    public var user: String
    /// A template of the records' topic, with `{base}`, `{device}`, `{user}` and `{source}`; the topic has at most 512
    /// bytes. Default `nil`: the format's own, ``RecordFormat/defaultTopic``.
    public var topic: String?
    /// What OwnTracks and Home Assistant are told of a position whose accuracy is unknown, in metres, 1 to 10 000.
    /// Default 100.
    ///
    /// Both drop a position that says nothing or 0. 100 is worse than any receiver with a fix, and within what consumers
    /// let through by default; higher, and they may drop it.
    public var assumedAccuracy: Int
    /// The two characters that OwnTracks shows on its map. Default `nil`: the last two letters and digits of the device's name.
    public var trackerID: String?
    /// What OwnTracks' payloads are encrypted with, its first 32 bytes. Default `nil`: they are not.
    public var secret: Secret?
    /// Whether the last will is OwnTracks' `lwt` on the topic of the locations, in place of the presence: a connection has one.
    /// It is not retained, because the position is. Default off.
    public var lastWill = false
    /// What OwnTracks shows beside the device, retained at `/info` behind the topic of the locations. Default none.
    public var card: OwnTracksCard?
    /// The version of the software that Home Assistant shows for the device. Default `nil`: none.
    public var softwareVersion: String?

    /// The defaults.
    public init(
        format: RecordFormat = .trackengine, base: String = "trackengine", deviceID: DeviceID,
        user: String = "trackengine", topic: String? = nil, assumedAccuracy: Int = 100, trackerID: String? = nil,
        softwareVersion: String? = nil
    ) {
        self.format = format
        self.base = base
        self.deviceID = deviceID
        self.user = user
        self.topic = topic
        self.assumedAccuracy = assumedAccuracy
        self.trackerID = trackerID
        self.softwareVersion = softwareVersion
    }

    /// The topics beside the records'.
    public var topics: SinkTopics { SinkTopics(values) }

    var values: TopicValues { TopicValues(base: base, device: deviceID, user: user) }
}

extension MessageOptions {
    /// What may be assumed of an unknown accuracy, in metres.
    package static let accuracies = 1...10_000

    /// Everything that is wrong with the options; empty if they can be used.
    package var problems: [ConfigurationProblem] {
        do throws(ConfigurationError) {
            _ = try makeFormat()
            return []
        } catch {
            return error.problems
        }
    }

    /// The format that the options describe.
    ///
    /// - Parameter startedAt: since when the sink is there, as OwnTracks' last will tells.
    /// - Throws: everything that is wrong with them.
    package func makeFormat(startedAt: Timestamp = .now()) throws(ConfigurationError) -> any MessageFormat {
        var check = ConfigurationCheck()
        values.check(&check)
        check.range("assumedAccuracy", assumedAccuracy, Self.accuracies, "metres")
        let template = checkedTopic(&check)
        checkOwnTracks(&check, template)
        try check.finish()
        guard let template else { throw ConfigurationError(problems: check.problems) }
        switch format {
        case .trackengine: return TrackEngineFormat(self, template)
        case .batch: return BatchFormat(self, template)
        case .owntracks: return try OwnTracksMessageFormat(self, template, startedAt: startedAt)
        case .homeassistant: return HomeAssistantFormat(self, topic: template.topic(source: ""))
        }
    }

    /// The topic's template, checked with values that are sound, so that each problem is reported where it is.
    private func checkedTopic(_ check: inout ConfigurationCheck) -> TopicTemplate? {
        do throws(ConfigurationError) {
            let template = try TopicTemplate(topic ?? format.defaultTopic, check.problems.isEmpty ? values : .sound)
            if format == .homeassistant, !template.isFixed {
                check.problem(
                    "topic", TopicText.shown(topic ?? ""), "no {source}, because Home Assistant follows one topic")
            }
            if template.isFixed, topics.contains(template.topic(source: "")) {
                check.problem(
                    "topic", TopicText.shown(topic ?? ""),
                    "a topic that is not taken by presence, commands or last record")
            }
            return template
        } catch {
            check.problems += error.problems
            return nil
        }
    }
}

/// Who shall understand the messages.
public enum RecordFormat: String, Sendable, Hashable, CaseIterable {
    /// One record a message, with everything that is known of it, in SI units: the library's own schema.
    case trackengine
    /// Many records in one message, in the same schema: the least work for network and broker.
    case batch
    /// The location message of OwnTracks, which its apps, its Recorder, Home Assistant, Dawarich and Traccar read.
    case owntracks
    /// A tracker with sensors that Home Assistant finds by itself.
    case homeassistant

    /// The template of the records' topic where the user names none.
    public var defaultTopic: String {
        switch self {
        case .trackengine: "{base}/{device}/record"
        case .batch: "{base}/{device}/records"
        case .owntracks: "owntracks/{user}/{device}"
        case .homeassistant: "{base}/{device}/attributes"
        }
    }
}
