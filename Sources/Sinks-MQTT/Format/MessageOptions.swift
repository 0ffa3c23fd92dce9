public import TrackEngine

/// The form and topics of a sink's messages.
public struct MessageOptions: Sendable, Hashable {
    /// The format of the messages. Default ``RecordFormat/trackengine``.
    public var format: RecordFormat
    /// The first levels of all topics, `{base}` in a template: one level or several, at most 200 bytes. Default
    /// `trackengine`.
    public var base: String
    /// The name of the tracked object, `{device}` in a template: one level of 1 to 128 bytes, without blanks at its
    /// ends.
    public var deviceID: DeviceID
    /// The user that owns the object, `{user}` in a template, required by OwnTracks: one level, at most 200 bytes.
    /// Default `trackengine`.
    public var user: String
    /// A template of the records' topic, with `{base}`, `{device}`, `{user}` and `{source}`; the topic has at most 512
    /// bytes. Default `nil`: the format's own, ``RecordFormat/defaultTopic``.
    public var topic: String?
    /// The accuracy reported to OwnTracks and Home Assistant for a position of unknown accuracy, in metres, 1 to 10
    /// 000. Default 100.
    ///
    /// Both drop a position without an accuracy or with 0. 100 is worse than the accuracy of any receiver with a
    /// fix, and consumers accept it by default; they may drop a position with a higher value.
    public var assumedAccuracy: Int
    /// The two characters that OwnTracks shows on its map. Default `nil`: the last two letters and digits of the
    /// device's name.
    public var trackerID: String?
    /// The secret for encrypting OwnTracks' payloads; its first 32 bytes are used. Default `nil`: no encryption.
    public var secret: Secret?
    /// Whether the last will is OwnTracks' `lwt` on the topic of the locations. It replaces the presence, because a
    /// connection has only one last will. It is not retained, because the position is. Default off.
    public var lastWill = false
    /// The name and picture that OwnTracks shows for the device, retained at `/info` below the topic of the
    /// locations. Default none.
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

    /// The topics in addition to the records' topic.
    public var topics: SinkTopicSet { SinkTopicSet(values) }

    var values: TopicValues { TopicValues(base: base, device: deviceID, user: user) }

    /// The range of `assumedAccuracy`, in metres.
    package static let accuracies = 1...10_000

    /// All problems of the options; empty if they are valid.
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
    /// - Parameter startedAt: the start time of the sink, for OwnTracks' last will.
    /// - Throws: all problems of the options.
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

    /// The topic's template, checked with valid values, so each problem is reported under its own key.
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

/// The formats of messages.
public enum RecordFormat: String, Sendable, Hashable, CaseIterable {
    /// One record per message, with all known values, in SI units: the library's own schema.
    case trackengine
    /// Many records in one message, in the same schema: the least load for network and broker.
    case batch
    /// The location message of OwnTracks, for its apps, its Recorder, Home Assistant, Dawarich and Traccar.
    case owntracks
    /// A tracker with sensors that Home Assistant discovers.
    case homeassistant

    /// The template of the records' topic where the user sets none.
    public var defaultTopic: String {
        switch self {
        case .trackengine: "{base}/{device}/record"
        case .batch: "{base}/{device}/records"
        case .owntracks: "owntracks/{user}/{device}"
        case .homeassistant: "{base}/{device}/attributes"
        }
    }
}
