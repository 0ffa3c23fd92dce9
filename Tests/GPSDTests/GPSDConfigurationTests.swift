import Testing
import TrackEngine
import TrackEngineGPSD

@Suite("The gpsd source's configuration")
struct GPSDConfigurationTests {
    private func problems(_ change: (inout GPSDSource.Configuration) -> Void) -> [String] {
        var configuration = GPSDSource.Configuration()
        change(&configuration)
        do throws(ConfigurationError) {
            _ = try GPSDSource(configuration: configuration)
            return []
        } catch { return error.problems.map(\.description) }
    }

    @Test("the defaults can be used, and so can the bounds")
    func good() {
        #expect(problems { _ in } == [])
        #expect(
            problems {
                $0.connectTimeout = .milliseconds(10)
                $0.reconnectFirst = .seconds(86_400)
                $0.reconnectMost = .seconds(86_400)
                $0.mailboxCapacity = 1
            } == [])
    }

    @Test("everything that is wrong is told at once, and nothing is put right silently")
    func wrong() {
        let problems = problems {
            $0.host = ""
            $0.port = 0
            $0.connectTimeout = .zero
            $0.answerTimeout = .milliseconds(9)
            $0.silenceTimeout = .seconds(-1)
            $0.reconnectFirst = .seconds(2)
            $0.reconnectMost = .seconds(1)
            $0.mailboxCapacity = 0
        }
        #expect(
            problems == [
                "host = (empty): expected a host name or address", "port = 0: expected 1 to 65535",
                "connectTimeout = 0 s: expected 0.01 to 86400 seconds",
                "answerTimeout = 0.009 s: expected 0.01 to 86400 seconds",
                "silenceTimeout = -1 s: expected 0.01 to 86400 seconds",
                "reconnectMost = 1 s: expected at least reconnectFirst (2 s)",
                "mailboxCapacity = 0: expected 1 to 1000000 fixes",
            ])
    }
}
