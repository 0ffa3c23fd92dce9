package import TrackEngine
import TrackEngineSettings

/// The values of a topic template's placeholders that do not depend on a record.
package struct TopicValues: Sendable, Hashable {
    /// `{base}`: the common start of all topics, one level or several.
    package var base: String
    /// `{device}`: the tracked object.
    package var device: DeviceID
    /// `{user}`: the owner of the object, required by OwnTracks.
    package var user: String

    /// Creates the values.
    package init(base: String, device: DeviceID, user: String) {
        self.base = base
        self.device = device
        self.user = user
    }

    /// Valid values for checking a template.
    package static let sound = TopicValues(base: "base", device: "device", user: "user")

    /// Reports all values that cannot be part of a topic.
    package func check(_ check: inout ConfigurationCheck) {
        if let problem = TopicText.problem(inTopic: base) {
            check.problem("base", TopicText.shown(base), problem)
        } else if base.utf8.count > TopicText.maximumNameLength {
            check.problem("base", TopicText.shown(base), Self.lengthExpectation)
        }
        check.text("deviceID", device.rawValue, .device)
        level("user", user, &check)
    }

    private func level(_ key: String, _ text: String, _ check: inout ConfigurationCheck) {
        if let problem = TopicText.problem(inLevel: text) {
            check.problem(key, TopicText.shown(text), problem)
        } else if text.utf8.count > TopicText.maximumNameLength {
            check.problem(key, TopicText.shown(text), Self.lengthExpectation)
        }
    }

    private static let lengthExpectation = "at most \(TopicText.maximumNameLength) bytes"
}
