import TrackEngine

extension Field {
    /// An `http` or `https` address; possible tokens in it are masked wherever it is shown.
    package static func endpoint(
        _ name: String, _ path: any WritableKeyPath<Section, String> & Sendable
    ) -> Field {
        endpoint(name, read: { $0[keyPath: path] = $1 }, shown: { $0[keyPath: path] })
    }

    /// An `http` or `https` address, or `null` for none.
    package static func endpoint(
        _ name: String, _ path: any WritableKeyPath<Section, String?> & Sendable
    ) -> Field {
        var field = endpoint(name, read: { $0[keyPath: path] = $1 }, shown: { $0[keyPath: path] })
        field = Field(
            field.name, field.kind, field.expectation, isOptional: true,
            read: { [read = field.read] table, section in if !table.isOff(name) { read(&table, &section) } },
            show: field.show)
        return field
    }

    private static func endpoint(
        _ name: String, read: @escaping @Sendable (inout Section, String) -> Void,
        shown: @escaping @Sendable (Section) -> String?
    ) -> Field {
        Field(
            name, .text, Endpoint.Malformed.scheme.rawValue,
            read: { table, section in
                guard let node = table.node(name) else { return }
                do throws(Endpoint.Malformed) {
                    guard let text = node.text else { throw .scheme }
                    guard !text.contains("#") else { return table.reject(name, "***", "an address without #") }
                    let endpoint = try Endpoint(text)
                    read(&section, text)
                    guard endpoint.hasSecret, let expectation = table.problemWithSecret(name, node.origin) else {
                        return
                    }
                    table.reject(name, endpoint.masked.quoted(atMost: 200), expectation)
                } catch {
                    table.reject(name, node.text == nil ? node.shown : "***", error.rawValue)
                }
            },
            show: { section in
                guard let text = shown(section) else { return .word("null") }
                let masked = Endpoint.masked(text)
                return masked == text ? .text(masked) : .masked(text, as: masked)
            })
    }
}
