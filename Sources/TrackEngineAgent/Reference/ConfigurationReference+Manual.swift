import TrackEngineSettings

extension ConfigurationReference {
    /// The reference as a manual page of section 5, in the language of man(7).
    package var manualPage: String {
        let name = program.name
        var page = """
            .\\" Made by \(name) explain \\-\\-format man; do not edit.
            .TH \(name.uppercased().escapedForManual).YAML 5 "" "\(name) \(program.version)" "File Formats"
            .nh
            .SH NAME
            \(name.escapedForManual).yaml \\- the configuration of \(name.escapedForManual)(1)
            .SH DESCRIPTION
            The file is YAML or JSON.
            Each key can also be set above the file: by an environment variable such as
            .B \(program.variablePrefix)TRACKING_DISTANCEFILTER
            or on the command line with
            .BR "\\-\\-set tracking.distanceFilter=50" .
            Elements of lists go by their place or name.
            In the names below, a
            .B *
            represents the name of an element, as does its type.
            A number of seconds may have a unit instead, such as 90s, 15m, 2h or 1d.
            .PP
            .B \(name.escapedForManual) check
            reports everything that is wrong with a configuration, and
            .B \(name.escapedForManual) explain
            .I key
            prints the entry of a key.

            """
        for section in sections { page += Self.manual(section) }
        return page
    }

    private static func manual(_ section: Group) -> String {
        var text = ".SH \(section.title.uppercased().escapedForManual)\n\(section.summary.escapedForManual)\n"
        for key in section.keys {
            let fallback =
                key.fallback { "default: \($0)" }.map { "\($0.prefix(1).uppercased())\($0.dropFirst())." } ?? ""
            let value =
                "\(key.kind.rawValue.prefix(1).uppercased())\(key.kind.rawValue.dropFirst()): \(key.expectation)."
            text += ".TP\n.B \(key.key.escapedForManual)\n\(key.meaning.escapedForManual)\n.br\n"
            text += "\(value.escapedForManual)\n" + (fallback.isEmpty ? "" : "\(fallback.escapedForManual)\n")
        }
        return text
    }
}

extension String {
    /// The text as a line that troff reads as text: no request at its start, no escapes, minus signs as typed, and
    /// other characters by their number, because an old man(1) reads the page as Latin 1.
    package var escapedForManual: String {
        var text = ""
        for scalar in unicodeScalars {
            switch scalar {
            case "\\": text += "\\e"
            case "-": text += "\\-"
            case "'": text += "\\(aq"
            case "`": text += "\\(ga"
            case "^": text += "\\(ha"
            case "~": text += "\\(ti"
            case "\"": text += "\\(dq"
            case _ where scalar.value > 0x7e:
                let digits = String(scalar.value, radix: 16, uppercase: true)
                text += "\\[u" + String(repeating: "0", count: Swift.max(0, 4 - digits.count)) + digits + "]"
            case _: text.unicodeScalars.append(scalar)
            }
        }
        return text.hasPrefix(".") ? "\\&" + text : text
    }
}
