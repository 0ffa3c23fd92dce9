/// A self-contained page: no script, no network, no external resource.
enum ReportPage {
    /// The page in UTF-8.
    static func bytes(_ title: String, _ body: (inout Markup) -> Void) -> [UInt8] {
        var page = Markup()
        page.raw("<!DOCTYPE html>\n")
        page.element("html", ["lang": "en"]) { page in
            writeHead(title, &page)
            page.element("body") { page in
                page.element("main") { body(&$0) }
            }
        }
        page.raw("\n")
        return page.bytes
    }

    /// The last parts of paths for a title; of more than four only the first three.
    static func names(_ files: [String]) -> String {
        let names = files.map { String($0.split(separator: "/").last ?? "") }
        guard names.count > 4 else { return names.joined(separator: ", ") }
        return names.prefix(3).joined(separator: ", ") + " and \(names.count - 3) more"
    }

    private static func writeHead(_ title: String, _ page: inout Markup) {
        page.element("head") { head in
            head.empty("meta", ["charset": "utf-8"])
            head.empty("meta", ["name": "viewport", "content": "width=device-width, initial-scale=1"])
            head.empty("meta", ["name": "color-scheme", "content": "light dark"])
            head.empty("meta", ["name": "referrer", "content": "no-referrer"])
            head.empty(
                "meta",
                [
                    "http-equiv": "Content-Security-Policy",
                    "content": "default-src 'none'; style-src 'unsafe-inline'",
                ])
            head.element("title", text: title)
            head.element("style") { $0.raw(ReportStyle.sheet) }
        }
    }
}
