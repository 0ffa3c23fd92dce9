import ArgumentParser
package import TrackEngine

/// The manual page of section 1: every command with its arguments, from the argument parser's description of them.
package struct CommandReference: Sendable {
    private let program: Agent
    private let root: Command

    /// The manual of a program's commands.
    ///
    /// - Throws: ``JSONError`` when the argument parser describes itself in another form than expected.
    package init(_ program: Agent) throws(JSONError) {
        self.program = program
        let description = Agent.$current.withValue(program) { AgentCommand._dumpHelp() }
        root = Command(try JSONValue.parse(description.utf8)["command"] ?? .null)
    }

    /// Every command as typed: `dead list`.
    package var commands: [String] { root.leaves.map { $0.path.dropFirst().joined(separator: " ") } }

    /// The page, in the language of man(7).
    package var page: String {
        let name = program.name.escapedForManual
        let shared = root.arguments(ofAtLeast: 5)
        let everywhere = root.arguments(ofAtLeast: root.leaves.count)
        var page = """
            .\\" Made by \(program.name) explain \\-\\-format man1; do not edit.
            .TH \(program.name.uppercased().escapedForManual) 1 "" "\(program.name) \(program.version)" "User Commands"
            .nh
            .ad l
            .SH NAME
            \(name) \\- \(root.abstract.withoutStop.lowercasedFirst.escapedForManual)
            .SH SYNOPSIS
            .B \(name)
            .I command
            .RI [ arguments ]
            .SH OPTIONS
            Several commands have these; the line of a command leaves out those that all have.

            """
        page += shared.map(\.manual).joined()
        page += ".SH COMMANDS\n"
        for command in root.leaves { page += command.manual(unsaid: everywhere, unexplained: shared) }
        return page + ending
    }

    private var ending: String {
        let name = program.name.escapedForManual
        return """
            .SH EXIT STATUS
            .TP
            .B 0
            The command has succeeded.
            .TP
            .B 1
            It has failed, with a message on standard error.

            """
                + ExitStatus.meanings.map { ".TP\n.B \($0.code.rawValue)\n\($0.meaning.escapedForManual)\n" }.joined()
                    + """
                    .SH ENVIRONMENT
                    .TP
                    .B \(program.variablePrefix)CONFIG
                    The configuration file, where no option names one.
                    .TP
                    .B \(program.variablePrefix)\\fIKEY\\fR
                    A key of the configuration; see
                    .BR \(name).yaml (5).
                    .TP
                    .B STATE_DIRECTORY
                    Where the store and the control socket are, as systemd sets it.
                    .TP
                    .B NO_COLOR
                    If it is not empty, the output has no colours.
                    .SH SEE ALSO
                    .BR \(name).yaml (5)

                    """
    }
}

/// A command as the argument parser describes it.
private struct Command {
    let path: [String]
    let abstract: String
    let discussion: String
    let arguments: [Argument]
    let subcommands: [Command]

    init(_ json: JSONValue, in parent: [String] = []) {
        path = parent + [json["commandName"]?.string ?? ""]
        abstract = json["abstract"]?.string ?? ""
        discussion = json["discussion"]?.string ?? ""
        arguments = (json["arguments"]?.array ?? []).map(Argument.init)
        let path = path
        subcommands = (json["subcommands"]?.array ?? []).map { Command($0, in: path) }.filter { $0.path.last != "help" }
    }

    /// The commands that have an action, in order.
    var leaves: [Command] { subcommands.isEmpty ? [self] : subcommands.flatMap(\.leaves) }

    /// The arguments that at least `least` commands have, in the order of their first use.
    func arguments(ofAtLeast least: Int) -> [Argument] {
        var counts: [(argument: Argument, count: Int)] = []
        for argument in leaves.flatMap(\.arguments) {
            if let known = counts.firstIndex(where: { $0.argument == argument }) {
                counts[known].count += 1
            } else {
                counts.append((argument, 1))
            }
        }
        return counts.filter { $0.count >= least }.map(\.argument)
    }

    /// The command's part of the page.
    ///
    /// - Parameters:
    ///   - everywhere: the arguments that the command's line leaves out.
    ///   - shared: the arguments that are explained elsewhere.
    func manual(unsaid everywhere: [Argument], unexplained shared: [Argument]) -> String {
        let said = arguments.filter { !everywhere.contains($0) }
        let own = arguments.filter { !shared.contains($0) }
        let line = ([path.joined(separator: " ").boldInManual] + said.map(\.synopsis)).joined(separator: " ")
        let paragraphs = [abstract] + discussion.split(separator: "\n\n").map(String.init)
        return ".SS \(line)\n"
            + paragraphs.map { $0.replacing("\n", with: " ").escapedForManual + "\n" }.joined(separator: ".PP\n")
            + own.map(\.manual).joined()
    }
}

/// An argument of a command, as the argument parser describes it.
private struct Argument: Equatable {
    let names: [String]
    let value: String?
    let isOptional: Bool
    let isRepeating: Bool
    let meaning: String

    init(_ json: JSONValue) {
        names = (json["names"]?.array ?? []).map { name in
            (name["kind"]?.string == "short" ? "-" : "--") + (name["name"]?.string ?? "")
        }
        value = json["kind"]?.string == "flag" ? nil : json["valueName"]?.string ?? "value"
        isOptional = json["isOptional"]?.boolean ?? true
        isRepeating = json["isRepeating"]?.boolean ?? false
        let fallback = json["defaultValue"]?.string.map { "By default \($0)." }
        meaning = [json["abstract"]?.string, json["discussion"]?.string, fallback]
            .compactMap { $0 }.joined(separator: " ").replacing("\n", with: " ")
    }

    /// `--set key=value`, with the last of several names, which is the long one or the only one.
    private func form(_ names: [String]) -> String {
        let value = value.map { "\\fI\($0.escapedForManual)\\fR" }
        let name = names.isEmpty ? nil : names.map(\.boldInManual).joined(separator: ", ")
        return [name, value].compactMap { $0 }.joined(separator: " ")
    }

    /// The form in the line of a command: `[--set key=value] ...`.
    var synopsis: String {
        let text = form(names.filter { $0.hasPrefix("--") })
        return (isOptional ? "[\(text)]" : text) + (isRepeating ? " ..." : "")
    }

    var manual: String { ".TP\n\(form(names))\n\(meaning.escapedForManual)\n" }
}

extension String {
    fileprivate var boldInManual: String { "\\fB\(escapedForManual)\\fR" }

    fileprivate var withoutStop: String { hasSuffix(".") ? String(dropLast()) : self }

    fileprivate var lowercasedFirst: String { prefix(1).lowercased() + dropFirst() }
}
