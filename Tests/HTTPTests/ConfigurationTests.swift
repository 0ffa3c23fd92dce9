import Testing
import TrackEngine
import TrackEngineHTTP

@Suite("The sink's configuration")
struct ConfigurationTests {
    static let canary = "c4n4ry-t0k3n"

    /// The keys of all problems, in the order of the report.
    private func problems(
        _ url: String = "https://example.org", _ change: (inout OverlandSink.Configuration) -> Void = { _ in }
    ) -> [String] {
        do throws(ConfigurationError) {
            _ = try OverlandSink(id: "home", configuration: Samples.configuration(url, change))
            return []
        } catch {
            return error.problems.map(\.key)
        }
    }

    @Test func `the defaults are fit for use`() {
        #expect(problems() == [])
    }

    @Test func `plain http is for this machine, unless allowed`() {
        #expect(problems("http://127.0.0.1:5003/dump") == [])
        #expect(problems("http://example.org") == ["url"])
        #expect(problems("http://example.org") { $0.allowInsecure = true } == [])
    }

    @Test func `everything that is wrong is reported at once`() {
        let keys = problems("nonsense") {
            $0.deviceID = ""
            $0.token = Secret("")
            $0.httpTimeout = .seconds(601)
            $0.assumedAccuracy = 0
            $0.headers = [HeaderField(name: "Content-Length", value: Secret("1"))]
        }
        #expect(keys == ["url", "deviceID", "token", "headers.Content-Length", "httpTimeout", "assumedAccuracy"])
    }

    @Test(arguments: [
        "Host", "content-length", "Transfer-Encoding", "Connection", "Content-Type", "X Y", "", "X:Y", "Ä",
    ])
    func `a header that frames the message or is no name is refused`(_ name: String) {
        #expect(problems { $0.headers = [HeaderField(name: name, value: Secret("1"))] }.count == 1)
    }

    @Test(arguments: ["a\r\nX-Evil: 1", "a\nb", "a\0b", "\u{7f}"])
    func `a header value of several lines is refused`(_ value: String) {
        #expect(problems { $0.headers = [HeaderField(name: "X-Key", value: Secret(value))] } == ["headers.X-Key"])
    }

    @Test func `two ways to authorize contradict each other`() {
        #expect(
            problems {
                $0.token = Secret("t")
                $0.basicAuthentication = .init(user: "u", password: Secret("p"))
            } == ["basicAuthentication"])
        #expect(
            problems {
                $0.token = Secret("t")
                $0.headers = [HeaderField(name: "authorization", value: Secret("x"))]
            } == ["headers.authorization"])
    }

    @Test func `a certificate needs its key and readable files`() {
        #expect(problems { $0.tls.certificateFile = "/nonexistent.pem" } == ["tls.certificateFile"])
        #expect(problems { $0.tls.keyFile = "/nonexistent.pem" } == ["tls.keyFile"])
        #expect(problems { $0.tls.certificateAuthorityFile = "/dev/null" } == ["tls.certificateAuthorityFile"])
    }

    @Test func `files for TLS need an address that uses it`() {
        #expect(
            problems("http://127.0.0.1:5003/dump") { $0.tls.certificateAuthorityFile = "/dev/null" }.contains("tls"))
    }

    @Test func `a header field stands there once, whatever its case`() {
        let twice = ["X-Key", "x-key"].map { HeaderField(name: $0, value: Secret("1")) }
        #expect(problems { $0.headers = twice } == ["headers.x-key"])
    }

    @Test func `no message repeats a secret`() {
        let canary = Self.canary
        let urls = [
            "https://user:\(canary)@example.org", "http://example.org/\(canary)?token=\(canary)", canary,
            "https://example.org:\(canary)", "ftp://\(canary)", "https://ex ample/\(canary)",
        ]
        for url in urls {
            do throws(ConfigurationError) {
                _ = try OverlandSink(
                    id: "home",
                    configuration: Samples.configuration(url) {
                        $0.token = Secret(canary + "\n")
                        $0.basicAuthentication = .init(user: "a:b", password: Secret(canary))
                        $0.headers = [HeaderField(name: "Host", value: Secret(canary))]
                    })
                Issue.record("accepted \(url)")
            } catch {
                #expect(!"\(error)".contains(canary))
            }
        }
    }

    @Test func `a configuration shows no secret when printed or dumped`() {
        let configuration = Samples.configuration("https://example.org/\(Self.canary)?t=\(Self.canary)") {
            $0.token = Secret(Self.canary)
        }
        var text = "\(configuration) \(String(reflecting: configuration))"
        dump(configuration, to: &text)
        #expect(!text.contains(Self.canary))
    }

    @Test func `the token goes out as a bearer, and without one there is no such field`() {
        let with = RequestHeaderList.fields(of: Samples.configuration { $0.token = Secret("t") })
        let without = RequestHeaderList.fields(of: Samples.configuration())
        #expect(with.contains { $0 == ("Authorization", "Bearer t") })
        #expect(!without.contains { $0.name == "Authorization" })
    }

    @Test func `user and password go out in base64`() {
        let fields = RequestHeaderList.fields(
            of: Samples.configuration {
                $0.basicAuthentication = .init(user: "Aladdin", password: Secret("open sesame"))
            })
        #expect(fields.contains { $0 == ("Authorization", "Basic QWxhZGRpbjpvcGVuIHNlc2FtZQ==") })
    }

    @Test func `a configured User-Agent takes the place of ours`() {
        let fields = RequestHeaderList.fields(
            of: Samples.configuration { $0.headers = [HeaderField(name: "user-agent", value: Secret("Overland/1.3"))] })
        #expect(fields.filter { $0.name.lowercased() == "user-agent" }.map(\.value) == ["Overland/1.3"])
    }

    @Test func `a sink that is never closed releases what it holds`() throws {
        weak var released: OverlandSink?
        do {
            let sink = try OverlandSink(id: "home", configuration: Samples.configuration())
            released = sink
            #expect(sink.id == "home")
        }
        #expect(released == nil)
    }
}
