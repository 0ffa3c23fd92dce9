import TestSupport
import Testing
import TrackEngine
import TrackEngineAgent
import TrackEngineHTTP
import TrackEngineSettings

/// `overland://setup` links and what becomes of them.
@Suite struct SetupTests {
    private func plan(
        _ link: String, _ existing: String = "", sink: String? = nil, allowsInsecure: Bool = false,
        taken: Set<String> = []
    ) throws -> SetupPlan {
        var choices = SetupPlan.Options()
        choices.sink = sink
        choices.allowsInsecure = allowsInsecure
        choices.isTaken = { taken.contains($0) }
        return try SetupPlan(
            link: AgentPlugins.standard.setupLink(link).link, type: "overland", existing: Array(existing.utf8),
            path: "/etc/trackd/trackd.yaml", choices)
    }

    private func problem(_ link: String, _ existing: String = "", sink: String? = nil) -> String {
        do {
            _ = try plan(link, existing, sink: sink)
            return ""
        } catch {
            return "\(error)"
        }
    }

    private func text(_ plan: SetupPlan) -> String { String(decoding: plan.configuration, as: UTF8.self) }

    private let link = "overland://setup?url=https%3A%2F%2Ft.example%2Fapi%3Fa%3Db&token=can%2Bary+1&device_id=van-7"

    @Test func `a link is percent-decoded and a plus sign is a plus sign`() throws {
        let link = try AgentPlugins.standard.setupLink(link + "&unique_id=yes&header_X-Api-Key=k%20v").link
        #expect(link.url?.revealed == "https://t.example/api?a=b")
        #expect(link.token?.revealed == "can+ary+1")
        #expect(link.deviceID == "van-7")
        #expect(link.headers.map(\.name) == ["X-Api-Key"])
        #expect(link.headers.map(\.value.revealed) == ["k v"])
        #expect(link.ignored == ["unique_id"])
    }

    @Test(arguments: [
        "", "https://example.org", "overland://other?url=x", "overland://setup?url=%", "overland://setup?url=%g0",
        "overland://setup?url=%ff", "overland://setup?url=", "overland://setup?token=a%0ab",
        "overland://setup", "overland://setup?", "overland://setup?unique_id=yes",
        "overland://setup?token=a&token=b", "overland://setup?token=" + String(repeating: "x", count: 9000),
    ])
    func `what is no setup link is refused`(_ text: String) {
        #expect(throws: SetupLink.Malformed.self) { try AgentPlugins.standard.setupLink(text) }
    }

    @Test func `a new configuration holds the address, and the token has a file of its own`() throws {
        let plan = try plan(link)
        #expect(
            text(plan) == """
                # The configuration of trackd, begun by `trackd setup`. `trackd check --show` prints all keys and values.
                device:
                  id: "van-7"
                sinks:
                - type: overland
                  url: "https://t.example/api?a=b"
                  token: {file: "/etc/trackd/trackd.overland.token"}

                """)
        #expect(plan.secrets == [.init(path: "/etc/trackd/trackd.overland.token", secret: Secret("can+ary+1"))])
        let configuration = try Given.configuration(text(plan))
        #expect(Given.overlandSink(of: configuration)?.token == .file("/etc/trackd/trackd.overland.token"))
    }

    @Test func `an empty token is none, and takes away that of the sink`() throws {
        let link = "overland://setup?url=https%3A%2F%2Ft.example%2Fapi&token="
        let new = try plan(link)
        #expect(new.secrets == [] && !text(new).contains("token"))
        #expect(try Given.overlandSink(of: Given.configuration(text(new)))?.token == nil)
        let existing = """
            sinks:
              - type: overland
                url: https://t.example/api
                token: {file: /etc/trackd/token}

            """
        for link in [link, "overland://setup?token="] {
            let changed = try plan(link, existing)
            #expect(changed.secrets == [] && !text(changed).contains("token") && text(changed).contains("t.example"))
        }
    }

    @Test func `what the link does not mention stays as it is, comments included`() throws {
        let existing = """
            # kept
            device: {id: van-7} # kept too
            sinks:
              - type: overland
                name: home
                url: 'https://t.example' # and this
                token: {file: /run/secret}
                syncThreshold: 3
            log: {level: debug}

            """
        let plan = try plan("overland://setup?url=https://t.example/%22x", existing)
        #expect(plan.keepsText && plan.change == nil)
        #expect(text(plan) == existing.replacing("'https://t.example'", with: #""https://t.example/\"x""#))
        #expect(plan.secrets == [])
    }

    @Test(arguments: ["http://old.example:443", "https://new.example", "https://old.example:8443"])
    func `another receiver gets no credentials of the one before`(_ other: String) throws {
        let existing = """
            sinks: # kept
              - type: overland
                name: home
                url: https://old.example/dump
                token: {file: /run/secret}
                basicAuth:
                  # somebody
                  user: anna
                  password: {file: /run/password}
                tls: {certificate: /run/a.crt, key: /run/a.key}
                headers:
                  X-Api-Key: {file: /run/key}
                syncThreshold: 3 # kept, too
                allowInsecure: true

            """
        let plan = try plan("overland://setup?url=\(other)/x&header_X-Own=mine", existing, allowsInsecure: true)
        let sink = try #require(Given.overlandSink(of: try Given.configuration(text(plan))))
        #expect(sink.token == nil && sink.basicAuth == nil)
        #expect(sink.headers.map(\.name) == ["X-Own"] && sink.configuration.tls == TLSOptions())
        #expect(!text(plan).contains("/run/"))
        let change = try #require(plan.change)
        #expect(change.old == "https://old.example" && change.new == other)
        #expect(
            "\(change)"
                == "the receiver was https://old.example and is \(other): removed the keys of the old one "
                + "(token, basicAuth, headers, tls.certificate, tls.key)")
    }

    @Test func `comments stay when credentials in lines of their own are removed`() throws {
        let existing = """
            sinks:
              - type: overland # kept
                token: {file: /run/secret}
                url: https://old.example/dump
                basicAuth:
                  # somebody
                  user: anna
                  password: {file: /run/password}
              # kept, too
              - {type: mqtt, url: 'mqtts://broker', token: {file: /run/other}}

            """
        let plan = try plan("overland://setup?url=https://new.example", existing)
        #expect(plan.keepsText)
        #expect(
            text(plan) == """
                sinks:
                  - type: overland # kept
                    url: "https://new.example"
                  # kept, too
                  - {type: mqtt, url: 'mqtts://broker', token: {file: /run/other}}

                """)
    }

    @Test func `a token for another receiver does not replace the file of the one before`() throws {
        let existing = "sinks: [{type: overland, name: home, url: 'https://x', token: {file: /run/secret}}]\n"
        let plan = try plan("overland://setup?url=https://y&token=canary", existing)
        #expect(plan.secrets == [.init(path: "/etc/trackd/trackd.home.token", secret: Secret("canary"))])
    }

    @Test(arguments: [
        ("TRACKD_SINKS_0_TOKEN", true), ("TRACKD_SINKS_HOME_TOKEN_FILE", true), ("TRACKD_SINKS_0_TLS_KEY", true),
        ("TRACKD_SINKS_HOME_HEADERS_X-KEY", true), ("TRACKD_SINKS_0", true), ("TRACKD_SINKS", true),
        ("TRACKD_SINKS_0_SYNCTHRESHOLD", false), ("TRACKD_SINKS_1_TOKEN", false), ("TRACKD_SINKS_0_TLS_CA", false),
        ("SINKS_0_TOKEN", false),
    ])
    func `credentials in the environment, which cannot be removed, are named with both receivers`(
        _ variable: String, _ isNamed: Bool
    ) throws {
        var choices = SetupPlan.Options()
        choices.environment = [variable: "canary", "HOME": "/root"]
        let plan = try SetupPlan(
            link: AgentPlugins.standard.setupLink("overland://setup?url=https://new.example").link, type: "overland",
            existing: Array("sinks: [{type: overland, name: home, url: 'https://old.example'}]\n".utf8),
            path: "/etc/trackd/trackd.yaml", choices)
        let change = try #require(plan.change)
        #expect(change.kept == (isNamed ? [variable] : []) && !"\(change)".contains("canary"))
        #expect("\(change)".contains(variable) == isNamed && "\(change)".contains("https://new.example"))
    }

    @Test(arguments: ["token: a, url: {file: /run/url}", "token: a, url: 'nowhere'", "token: a"])
    func `an address that is not known is another one`(_ members: String) throws {
        let plan = try plan("overland://setup?url=https://y", "sinks: [{type: overland, \(members)}]\n")
        #expect(plan.change?.dropped == [["token"]])
    }

    @Test func `a token goes into the file that holds the present one`() throws {
        let existing = "sinks: [{type: overland, name: home, url: 'https://x', token: {file: /run/secret}}]\n"
        let plan = try plan("overland://setup?token=canary", existing)
        #expect(plan.secrets == [.init(path: "/run/secret", secret: Secret("canary"))])
        #expect(try Given.configuration(text(plan)) == Given.configuration(existing))
    }

    @Test func `a token replaces one that stood in the file itself`() throws {
        let existing = "sinks: [{type: overland, name: home, url: 'https://x', token: old}]\n"
        let plan = try plan("overland://setup?token=canary", existing)
        #expect(!text(plan).contains("canary") && !text(plan).contains("old"))
        let configuration = try Given.configuration(text(plan))
        #expect(Given.overlandSink(of: configuration)?.token == .file("/etc/trackd/trackd.home.token"))
    }

    @Test func `a sink is added beside others that are of another kind or none`() throws {
        let plan = try plan(link, "sinks: []\ntracking: {distanceFilter: 5} # gone\n")
        #expect(!plan.keepsText)
        let configuration = try Given.configuration(text(plan))
        #expect(configuration.tracking.distanceFilter == 5)
        #expect(configuration.sinks.count == 1)
        #expect(configuration.device.id == "van-7")
    }

    @Test func `headers of the link are kept as secrets`() throws {
        let plan = try plan("overland://setup?url=https://x&header_X-Api-Key=canary")
        #expect(!text(plan).contains("canary"))
        #expect(plan.secrets.map(\.path) == ["/etc/trackd/trackd.overland.x-api-key"])
    }

    @Test func `the same link twice changes nothing the second time`() throws {
        let first = try plan(link)
        let second = try plan(link, text(first))
        #expect(text(second) == text(first))
        #expect(second.secrets == first.secrets)
    }

    @Test func `a token without an address needs a sink`() {
        #expect(throws: AgentConfigurationError.self) { try plan("overland://setup?token=a") }
    }

    private let twoSinks = """
        sinks:
          - {type: overland, name: home, url: 'https://home', token: {file: /run/token}}
          - {type: mqtt, url: 'mqtts://broker'}
          - {type: overland, name: office, url: 'https://office', token: {file: /run/token}}

        """

    @Test func `of two sinks one must be named, and the other stays as it is`() throws {
        let link = "overland://setup?url=https://new&token=canary"
        expectMessage(problem(link, twoSinks), as: "none of two sinks is named")
        expectMessage(problem(link, twoSinks, sink: "mqtt"), as: "no sink is named mqtt")
        let plan = try plan(link, twoSinks, sink: "office")
        let sinks = try Given.configuration(text(plan)).sinks.compactMap { $0.kind as? OverlandSettings }
        #expect(sinks.map(\.configuration.url) == ["https://home", "https://new"])
        #expect(plan.sink == "office")
    }

    @Test func `a file that two sinks share is not overwritten for one of them`() throws {
        let plan = try plan("overland://setup?token=canary", twoSinks, sink: "office")
        #expect(plan.secrets.map(\.path) == ["/etc/trackd/trackd.office.token"])
    }

    @Test func `another name adds a sink`() throws {
        let configuration = try Given.configuration(
            text(try plan("overland://setup?url=https://new", twoSinks, sink: "third")))
        #expect(configuration.sinks.map(\.name) == ["home", "mqtt", "office", "third"])
    }

    @Test func `a file that is there already is never overwritten by a new secret`() throws {
        let taken: Set = ["/etc/trackd/trackd.overland.token", "/etc/trackd/trackd.overland.token-2"]
        let plan = try plan(link, taken: taken)
        #expect(plan.secrets.map(\.path) == ["/etc/trackd/trackd.overland.token-3"])
        #expect(text(plan).contains("trackd.overland.token-3"))
    }

    @Test func `an address without TLS needs a word of its own`() throws {
        let link = "overland://setup?url=http://nas.local:8080/%3Ftoken=canary"
        let refusal = problem(link)
        expectMessage(refusal)
        #expect(!refusal.contains("canary"))
        for existing in ["", "sinks: [{type: overland, url: 'https://x', allowInsecure: false}]\n"] {
            let plan = try plan(link, existing, allowsInsecure: true)
            let sink = try #require(Given.overlandSink(of: try Given.configuration(text(plan))))
            #expect(sink.configuration.allowInsecure && sink.configuration.url.hasPrefix("http://nas.local"))
            #expect(problem(link, text(plan)) == "")
        }
        #expect(problem("overland://setup?url=http://127.0.0.1:8080/") == "")
    }

    @Test(arguments: [
        "http://other.local:8080/", "http://nas.local/", "http://nas.local:8081/", "http://[fe80::1]:8080/",
    ])
    func `a permission to send in the clear is for the host and port that it was given for`(_ other: String) throws {
        let allowed = try plan("overland://setup?url=http://nas.local:8080/a", allowsInsecure: true)
        #expect(problem("overland://setup?url=\(other)", text(allowed)).contains("or --allow-insecure"))
        #expect(problem("overland://setup?url=http://NAS.local:8080/b", text(allowed)) == "")
        #expect(problem("overland://setup?token=t", text(allowed)) == "")
    }

    @Test(arguments: ["https://nas.local:8080/", "https://other.example/", "http://127.0.0.1/"])
    func `a secure address ends a permission to send in the clear`(_ secure: String) throws {
        let allowed = try plan("overland://setup?url=http://nas.local:8080/", allowsInsecure: true)
        let secured = try plan("overland://setup?url=\(secure)", text(allowed))
        #expect(Given.overlandSink(of: try Given.configuration(text(secured)))?.configuration.allowInsecure == false)
        #expect(problem("overland://setup?url=http://nas.local:8080/", text(secured)).contains("--allow-insecure"))
    }

    @Test func `a secure address takes no permission with it`() throws {
        let plan = try plan("overland://setup?url=https://x", allowsInsecure: true)
        #expect(!text(plan).contains("allowInsecure"))
    }

    @Test func `no secret replaces a file when every name is taken`() {
        var choices = SetupPlan.Options()
        choices.isTaken = { _ in true }
        let error = #expect(throws: (any Error).self) {
            try SetupPlan(
                link: AgentPlugins.standard.setupLink(link).link, type: "overland", existing: [],
                path: "/etc/trackd/trackd.yaml", choices)
        }
        expectMessage(error.map { "\($0)" }, begin: "/etc/trackd/trackd.overland.token")
    }

    @Test func `a device's name that MQTT cannot hold becomes the sink's own`() throws {
        let plan = try plan("overland://setup?url=https://x&device_id=fleet/7")
        let configuration = try Given.configuration(text(plan))
        #expect(configuration.device.id == nil)
        #expect(Given.overlandSink(of: configuration)?.deviceID == "fleet/7")
    }

    @Test func `a JSON file stays readable`() throws {
        let plan = try plan(link, #"{"device": {"id": "a"}, "log": {"level": "debug"}}"#)
        let configuration = try Given.configuration(text(plan))
        #expect(configuration.device.id == "van-7")
        #expect(configuration.log.level == .debug)
        #expect(configuration.sinks.count == 1)
    }
}
