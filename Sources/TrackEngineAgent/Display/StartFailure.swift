import Logging

extension AgentStartError {
    /// The messages of `trackd run` when it cannot start: one line per problem, in the format of the log.
    package func lines(_ format: ScreenLogHandler.Format) -> [String] {
        switch self {
        case .configuration(let error):
            error.problems.map { format.line("configuration cannot be used", key: "problem", "\($0)") }
        case .unusable(let message), .taken(let message), .failed(let message):
            [format.line("cannot start", key: "error", message)]
        }
    }
}

extension ScreenLogHandler.Format {
    /// The format of a log that goes to the journal or elsewhere.
    package init(_ format: LogSettings.Format, isJournal: Bool) {
        self =
            switch format {
            case .json: .json
            case .text: isJournal ? .journal : .text
            }
    }

    /// An error of the whole program: for users the fact alone, for programs like any other message.
    fileprivate func line(_ message: String, key: String, _ fact: String) -> String {
        switch self {
        case .text: fact
        case .journal: "<\(Logger.Level.error.journalPriority)>" + fact.replacing("\n", with: " ")
        case .json: ScreenLogHandler.json(.error, message, [(key, fact)])
        }
    }
}
