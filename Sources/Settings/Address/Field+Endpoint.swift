import TrackEngine

extension Field {
    /// An `http` or `https` address; what could be a token in it is masked wherever it is shown.
    package static func endpoint(
        _ name: String, _ path: any WritableKeyPath<Section, String> & Sendable
    ) -> Field {
        Field(
            name, .text, Endpoint.Malformed.scheme.rawValue,
            read: { table, section in
                guard let node = table.node(name) else { return }
                do throws(Endpoint.Malformed) {
                    guard let text = node.text else { throw .scheme }
                    guard !text.contains("#") else { return table.reject(name, "***", "an address without #") }
                    let endpoint = try Endpoint(text)
                    section[keyPath: path] = text
                    guard endpoint.hasSecret, let expectation = table.problemWithSecret(name, node.origin) else {
                        return
                    }
                    table.reject(name, endpoint.masked.quoted(atMost: 200), expectation)
                } catch {
                    table.reject(name, node.text == nil ? node.shown : "***", error.rawValue)
                }
            },
            show: { section in
                let text = section[keyPath: path]
                let masked = Endpoint.masked(text)
                return masked == text ? .text(masked) : .masked(text, as: masked)
            })
    }
}
