import Hummingbird
import TestSupport
import Testing
import TrackEngineHistory
import TrackEngineServer

/// The sample of the library's page.
@Suite struct ServerSample {
    @Test func `The routes are added to another application`() async throws {
        try await TestEnvironment.withTemporaryDirectory { directory in
            let history = try await TrackHistory.open(directory: directory + "/history")

            let access = try AccessFile(path: directory + "/access.json")
            let server = TrackServer(ServerConfiguration(), history: history, access: access)
            let router = Router()
            server.addRoutes(to: router)

            let application = Application(router: router)
            #expect(router.routes.contains { $0.path.description == "/api/live" })
            _ = application
            await history.close()
        }
    }
}
