/// Values for some keys of a section, in place of those of another section of the type.
///
/// The section's own fields read, show and apply the values, so that a key with a second value, such as that of a
/// profile, needs no second declaration. Keys with a single value only; a list, a table or a secret has none here.
package struct Overlay<Section>: Sendable, Hashable {
    /// The values by key, as the fields show them.
    private var values: [String: ConfigurationValue]

    /// An overlay with these values; none by default.
    package init(_ values: [String: ConfigurationValue] = [:]) { self.values = values }

    /// The value of a key; `nil` if the overlay has none.
    package subscript(key: String) -> ConfigurationValue? {
        get { values[key] }
        set { values[key] = newValue }
    }

    /// Returns a section with these values in place of its own.
    package func applied(to section: Section, _ fields: [Field<Section>]) -> Section {
        let members = values.compactMap { key, value in
            value.scalar.map { ConfigurationNode.Member(key: key, node: ConfigurationNode(.scalar($0), .none)) }
        }
        var table = TableDecoder(path: "", layers: [ConfigurationNode(.table(members), .none)], ProblemReport())
        var section = section
        for field in fields where values[field.name] != nil { field.read(&table, &section) }
        return section
    }
}

extension Field where Section: Sendable {
    /// Reads the key into an overlay, or reports a problem.
    ///
    /// - Parameter section: any section of the type.
    package func read(_ table: inout TableDecoder, into overlay: inout Overlay<Section>, like section: Section) {
        guard table.node(name) != nil else { return }
        let problems = table.report.problems.count
        var section = section
        read(&table, &section)
        if table.report.problems.count == problems { overlay[name] = show(section) }
    }

    /// The field of an overlay of a section: the same key with the same rule, or `null` for no value.
    ///
    /// - Parameters:
    ///   - key: the key of the section below the overlay.
    ///   - section: any section of the type.
    package func overlay(on key: String, like section: Section) -> Field<Overlay<Section>> {
        Field<Overlay<Section>>(
            name, kind, expectation, isOptional: true,
            read: { table, overlay in
                if table.isOff(name) { overlay[name] = nil } else { read(&table, into: &overlay, like: section) }
            },
            show: { $0[name] ?? .word("null") }
        ).meaning("In place of \(key).\(name); null for as there.")
    }
}

extension ConfigurationValue {
    /// The value as it is read; `nil` for one that is not single or is secret.
    fileprivate var scalar: ConfigurationNode.Scalar? {
        switch self {
        case .word(let word): .init(word)
        case .text(let text): .init(text, isQuoted: true)
        case .secret, .masked, .list, .table: nil
        }
    }
}
