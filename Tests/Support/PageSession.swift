/// What a browser has of a server's page after a link was opened.
package struct PageSession: Sendable {
    /// The cookie's name and value.
    package let cookie: String
    /// What the page keeps, as the end of a query: `proof=…`.
    package let proof: String

    /// Opens a link as a browser does; `nil` where that leads to no page.
    ///
    /// - Parameter target: path and query of the link.
    package init?(opening target: String, _ fields: [String: String] = [:], at port: Int) async {
        let lines = await RawReply.to("GET", target, fields, at: port).head.split(separator: "\r\n")
        func value(_ name: String) -> Substring? {
            lines.first { $0.hasPrefix("\(name): ") }?.dropFirst(name.count + 2)
        }
        guard let cookie = value("Set-Cookie")?.prefix(while: { $0 != ";" }),
            let proof = value("Location")?.split(separator: "?").last
        else { return nil }
        (self.cookie, self.proof) = (String(cookie), String(proof))
    }

    /// Asks as the page does.
    package func ask(
        _ method: String = "GET", _ target: String, _ fields: [String: String] = [:], body: String = "", at port: Int
    ) async -> RawReply {
        let all = fields.merging(["Cookie": cookie]) { first, _ in first }
        return await RawReply.to(method, target + (target.contains("?") ? "&" : "?") + proof, all, body: body, at: port)
    }
}
