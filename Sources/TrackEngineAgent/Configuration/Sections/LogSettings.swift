package import Logging
import TrackEngineSettings

/// The section `log`.
package struct LogSettings: Sendable, Hashable {
    /// The least important level of messages to write. Default: info. Positions appear at trace and debug only.
    package var level = Logger.Level.info
    /// The format of messages. Default: text.
    package var format = Format.text

    /// The formats of a message.
    package enum Format: String, Sendable, Hashable, CaseIterable {
        /// A line for users.
        case text
        /// One JSON object per line.
        case json
    }

    static let fields: [Field<Self>] = [
        .choice("level", \.level)
            .meaning("The least important messages that are written; positions appear at trace and debug only."),
        .choice("format", \.format).meaning("Whether messages are lines for people or JSON objects."),
    ]
}
