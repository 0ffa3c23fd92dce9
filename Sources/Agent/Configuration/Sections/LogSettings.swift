package import Logging
import TrackEngineSettings

/// The section `log`.
package struct LogSettings: Sendable, Hashable {
    /// The least important messages that are written. Default info. Positions appear at trace and debug only.
    package var level = Logger.Level.info
    /// How they are written. Default text.
    package var format = Format.text

    package init() {}

    /// The shapes of a message.
    package enum Format: String, Sendable, Hashable, CaseIterable {
        /// A line for people.
        case text
        /// A JSON object a line.
        case json
    }

    static let fields: [Field<Self>] = [
        .choice("level", \.level)
            .meaning("The least important messages that are written; positions appear at trace and debug only."),
        .choice("format", \.format).meaning("Whether messages are lines for people or JSON objects."),
    ]
}
