import Testing
import TrackEngine
import TrackEngineSettings

/// Secrets as a configuration names them.
@Suite struct SecretReferenceTests {
    /// The reference that a node comes to, and the number of problems.
    private func read(
        _ node: ConfigurationNode, key: String = "token", isPrivate: Bool = true
    ) -> (reference: SecretReference?, problems: [ReportedProblem]) {
        let report = ProblemReport()
        report.allowsSecretsInFile = isPrivate
        var table = TableDecoder(
            path: "sinks.home", layers: [.table([key: node], node.origin)], report)
        let reference = table.secret(key)
        return (reference, report.problems)
    }

    private static let valid: [(node: ConfigurationNode, reference: SecretReference)] = [
        (.keys(["file": "/etc/a b"]), .file("/etc/a b")), (.keys(["FILE": "/a"]), .file("/a")),
        (.keys(["env": "A_1"]), .environment("A_1")), (.keys(["Env": "_"]), .environment("_")),
        (.keys(["credential": "a-b_c.9"]), .credential("a-b_c.9")),
        (.keys(["env": String(repeating: "A", count: 128)]), .environment(String(repeating: "A", count: 128))),
        (.text("canary"), .literal(Secret("canary"))), (.text("null", isQuoted: true), .literal(Secret("null"))),
        (.text("7"), .literal(Secret("7"))), (.text(" ü "), .literal(Secret(" ü "))),
        (.text(String(repeating: "c", count: 8192)), .literal(Secret(String(repeating: "c", count: 8192)))),
    ]

    @Test(arguments: valid.indices)
    func `a secret is a text, or one place`(_ index: Int) {
        let found = read(Self.valid[index].node)
        #expect(found.reference == Self.valid[index].reference)
        #expect(found.problems.isEmpty)
    }

    @Test(
        arguments: [
            .text(""), .text("null"), .text("", isQuoted: true), .text("can\nary"), .text("can\u{202e}ary"),
            .text(String(repeating: "c", count: 8193)), .list([.text("canary")]), .table([:]),
            .keys(["file": "canary"]), .keys(["file": "~/canary"]), .keys(["file": "/can\nary"]),
            .keys(["file": "null"]),
            .keys(["env": "9canary"]), .keys(["env": "canary-x"]), .keys(["env": "cänary"]),
            .keys(["env": String(repeating: "A", count: 129)]), .keys(["credential": "../canary"]),
            .keys(["credential": ".canary"]), .keys(["credential": "canary/x"]),
            .keys(["credential": String(repeating: "c", count: 129)]), .keys(["canary": "canary"]),
            .keys(["file": "/canary", "env": "CANARY"]), .table(["file": .list([.text("/canary")])]),
        ] as [ConfigurationNode])
    func `all else is refused, and not repeated`(_ node: ConfigurationNode) {
        let found = read(node)
        #expect(found.reference == nil)
        #expect(found.problems.count == 1)
        #expect(found.problems.first?.message.hasPrefix("sinks.home.token = ***: ") == true)
        #expect(found.problems.first?.message.contains("canary") == false)
    }

    @Test func `a text is a secret where only its owner reads it`() {
        let origins: [(ConfigurationOrigin, isPrivate: Bool, isAllowed: Bool)] = [
            (.file(name: "a", line: 1), true, true), (.file(name: "a", line: 1), false, false),
            (.environment("E"), true, true), (.environment("E"), false, true), (.option, true, false),
            (.option, false, false), (.none, false, true),
        ]
        for (origin, isPrivate, isAllowed) in origins {
            for key in ["token", "url"] {
                let found = read(.text("canary", origin), key: key, isPrivate: isPrivate)
                #expect((found.reference != nil) == isAllowed && found.problems.isEmpty == isAllowed, "\(origin)")
            }
            let place = read(.keys(["file": "/a"], origin), isPrivate: isPrivate)
            #expect(place.reference == .file("/a") && place.problems.isEmpty, "a place is no secret")
        }
    }

    @Test func `the layer above replaces a secret as a whole`() {
        let report = ProblemReport()
        var table = TableDecoder(
            path: "",
            layers: [.table(["token": .keys(["env": "A"], .option)]), .table(["token": .keys(["file": "/a"])])],
            report)
        let (secret, other) = (table.secret("token"), table.secret("other"))
        #expect(secret == .environment("A") && other == nil)
        #expect(report.problems.isEmpty)
    }
}
