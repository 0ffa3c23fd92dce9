import TrackEngineSettings

extension ConfigurationReference {
    /// The reference as a page of the documentation.
    package var markdown: String {
        let name = program.name
        return """
            # The keys of the configuration

            The keys of \(name)'s configuration, with their meanings, possible values and defaults.

            ## Overview

            `\(name) explain` prints this page's text, with the plugins of the program that you run, and
            `\(name) explain KEY` the entry of one key. `sinks.home.url` in an environment variable is
            `\(program.variablePrefix)SINKS_HOME_URL`, and `--set sinks.home.url=…` on the command line. A `*` represents the \
            name of an element
            of a list, as does its type. A number of seconds may have a unit instead: `90s`, `15m`, `2h`, `1d`.

            """ + sections.map(Self.markdown).joined()
    }

    private static func markdown(_ section: Group) -> String {
        let rows = section.keys.map { key in
            let fallback = key.fallback { "`\($0)`" } ?? ""
            let value = "\(key.kind.rawValue): \(key.expectation)".escapedForMarkdown
            return "| `\(key.key)` | \(key.meaning.escapedForMarkdown) | \(value) | \(fallback) |\n"
        }
        return """

            ## \(section.title)

            \(section.summary.escapedForMarkdown)

            | Key | Meaning | Value | Default |
            | --- | --- | --- | --- |

            """ + rows.joined()
    }
}

extension String {
    /// The text with a backslash before each character that is special in Markdown.
    fileprivate var escapedForMarkdown: String {
        var text = ""
        for character in self {
            if "\\`*_|<>[]".contains(character) { text.append("\\") }
            text.append(character)
        }
        return text
    }
}
