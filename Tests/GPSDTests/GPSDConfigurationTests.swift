import TestSupport
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

    @Test
    func `the defaults can be used, and so can the bounds`() {
        #expect(problems { _ in } == [])
        #expect(
            problems {
                $0.connectTimeout = .milliseconds(10)
                $0.reconnectFirst = .seconds(86_400)
                $0.reconnectMost = .seconds(86_400)
                $0.queueCapacity = 1
            } == [])
    }

    @Test
    func `everything that is wrong is told at once, and nothing is put right silently`() {
        let problems = problems {
            $0.host = ""
            $0.port = 0
            $0.connectTimeout = .zero
            $0.answerTimeout = .milliseconds(9)
            $0.silenceTimeout = .seconds(-1)
            $0.reconnectFirst = .seconds(2)
            $0.reconnectMost = .seconds(1)
            $0.queueCapacity = 0
        }
        expectMessages(
            problems,
            begin: [
                "host", "port", "connectTimeout", "answerTimeout", "silenceTimeout", "reconnectMost", "queueCapacity",
            ])
    }
}
