import Foundation
import SQLiteAccess
import TestSupport
import Testing
import TrackEngine
import TrackEngineServer

@Suite("What lies under the tracks", .timeLimit(.minutes(30)))
struct GroundTests {
    /// A map of one picture at zoom 2, in the second column and the first row from the north.
    private static func write(_ path: String, _ metadata: [String: String], tile: String = "x'89504e47'") throws {
        let db = try Database(path: path)
        try db.execute(
            sql: """
                CREATE TABLE metadata (name TEXT, value TEXT);
                CREATE TABLE images (id TEXT, tile_data BLOB);
                INSERT INTO images VALUES ('a', \(tile));
                CREATE VIEW tiles AS SELECT 2 AS zoom_level, 1 AS tile_column, 3 AS tile_row, tile_data FROM images
                """)
        for (name, value) in metadata {
            try db.execute(sql: "INSERT INTO metadata VALUES (?, ?)", arguments: [name, value])
        }
        try db.close()
    }

    private static let metadata = [
        "name": "Berlin", "format": "png", "attribution": "© <b>OSM</b>", "minzoom": "2", "maxzoom": "5",
        "bounds": "13.0, 52.3,13.8,52.7",
    ]

    private static func with(
        _ metadata: [String: String] = metadata, tile: String = "x'89504e47'",
        _ body: @Sendable (ServerBench) async throws -> Void
    ) async throws {
        try await TestEnvironment.withTemporaryDirectory { directory in
            let path = directory + "/map.mbtiles"
            try write(path, metadata, tile: tile)
            var configuration = ServerConfiguration()
            configuration.map = path
            try await ServerBench.with(configuration) { try await body($0) }
        }
    }

    @Test func `The page is told which map there is, and gets its pictures counted from the north`() async throws {
        try await Self.with { bench in
            let key = ["Authorization": "Bearer \(bench.key)"]
            let ground = try await bench.send("GET", "/api/ground", key)
            #expect(
                ground.body
                    == #"{"tiles":null,"map":{"name":"Berlin","attribution":"© <b>OSM</b>","minimumZoom":2,"maximumZoom":5,"bounds":[13,52.3,13.8,52.7]}}"#
            )
            let tile = try await bench.send("GET", "/tiles/2/1/0", key)
            #expect(tile.status == 200 && tile.head.contains("image/png"))
            #expect(tile.bytes == [0x89, 0x50, 0x4e, 0x47])
        }
    }

    @Test(arguments: ["2/1/3", "2/0/0", "2/4/0", "2/-1/0", "31/0/0", "-1/0/0", "99999999999999999999/0/0", "a/b/c"])
    func `A tile that is not there is not found`(_ place: String) async throws {
        try await Self.with { bench in
            let reply = try await bench.send("GET", "/tiles/\(place)?key=\(bench.key)")
            #expect(reply.status == 404)
        }
    }

    @Test(arguments: ["/api/ground", "/tiles/2/1/0"])
    func `Which place is looked at is for those who have the key`(_ target: String) async throws {
        try await Self.with { bench in
            let reply = try await bench.send("GET", target)
            #expect(reply.status == 401)
        }
    }

    @Test func `A picture that is larger than any is not handed on`() async throws {
        try await Self.with(tile: "zeroblob(600000)") { bench in
            let reply = try await bench.send("GET", "/tiles/2/1/0?key=\(bench.key)")
            #expect(reply.status == 404)
        }
    }

    @Test func `Without a map there is none, and what a file does not say is left open`() async throws {
        try await ServerBench.with { bench in
            let ground = try await bench.send("GET", "/api/ground?key=\(bench.key)")
            #expect(ground.body == #"{"tiles":null,"map":null}"#)
            #expect(try await bench.send("GET", "/tiles/2/1/0?key=\(bench.key)").status == 404)
        }
        try await Self.with(["format": "JPG", "bounds": "1,2,nan,4", "minzoom": "-7", "maxzoom": "x"]) { bench in
            let ground = try await bench.send("GET", "/api/ground?key=\(bench.key)")
            #expect(
                ground.body.contains(
                    #""name":"","attribution":"","minimumZoom":0,"maximumZoom":30,"bounds":null"#))
        }
    }

    @Test(arguments: [
        ("a directory", "a file that can be read"), ("nothing", "a file that can be read"),
        ("text", "a map in the format MBTiles"), ("another database", "a map in the format MBTiles"),
        ("vectors", "a map of pictures: its format png, jpg or webp"), ("a pipe", "a file that can be read"),
        ("a long text", "a map in the format MBTiles"), ("a view without an end", "a map in the format MBTiles"),
    ])
    func `What is no map of pictures is refused when the sink is made`(_ kind: String, _ expectation: String)
        async throws
    {
        try await TestEnvironment.withTemporaryDirectory { directory in
            let path = directory + "/map.mbtiles"
            switch kind {
            case "a directory": try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
            case "text": try Data("no database at all".utf8).write(to: URL(fileURLWithPath: path))
            case "another database":
                try Database(path: path).execute(sql: "CREATE TABLE a (b)")
            case "a pipe": #expect(mkfifo(path, 0o600) == 0)
            case "a long text":
                try Self.write(path, Self.metadata)
                try Database(path: path).execute(sql: "INSERT INTO metadata VALUES ('name', zeroblob(100000000))")
            case "a view without an end":
                try Database(path: path).execute(
                    sql: """
                        CREATE TABLE metadata (name TEXT, value TEXT);
                        CREATE VIEW tiles AS WITH RECURSIVE a(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM a)
                        SELECT n AS zoom_level, n AS tile_column, n AS tile_row, x'00' AS tile_data FROM a WHERE n < 0
                        """)
            case "vectors": try Self.write(path, ["format": "pbf"])
            case _: break
            }
            let error = try #require(throws: ServerError.self) { try TileFile.require(at: path) }
            #expect(error.description.contains("map = ") && error.description.hasSuffix("expected \(expectation)"))
            // A file that became unreadable later costs nothing but the map.
            var configuration = ServerConfiguration()
            configuration.map = path
            try await ServerBench.with(configuration) { bench in
                let ground = try await bench.send("GET", "/api/ground?key=\(bench.key)")
                #expect(ground.body.contains(#""map":null"#))
            }
        }
    }

    // MARK: A tile server

    @Test func `Of a tile server the page is told all, and may load its pictures alone`() async throws {
        var configuration = ServerConfiguration()
        configuration.tiles = TileServer(
            template: "https://tile.example.org:8443/a/{z}/{x}/{y}.png?k=1", attribution: "© us", maximumZoom: 17)
        try await ServerBench.with(configuration) { bench in
            let ground = try await bench.send("GET", "/api/ground?key=\(bench.key)")
            #expect(
                ground.body
                    == #"{"tiles":{"template":"https://tile.example.org:8443/a/{z}/{x}/{y}.png?k=1","attribution":"© us","host":"tile.example.org","maximumZoom":17},"map":null}"#
            )
            #expect(ground.head.contains("img-src 'self' data: https://tile.example.org:8443;"))
        }
        try await ServerBench.with { bench in
            let page = try await bench.send("GET", "/")
            #expect(page.head.contains("img-src 'self' data:;"))
        }
    }

    @Test(arguments: [
        "", "tile.example.org/{z}/{x}/{y}", "http://tile.example.org/{z}/{x}/{y}", "https://tile.example.org/{z}/{x}",
        "https://{s}.tile.example.org/{z}/{x}/{y}", "https://tile.example.org/{z}/{x}/{y}{r}.png",
        "https://{z}.example.org/{x}/{y}", "https://u:p@tile.example.org/{z}/{x}/{y}",
        "https://tile.example.org;script-src/{z}/{x}/{y}", "https://tile.example.org '*'/{z}/{x}/{y}",
        "javascript:alert(1)//{z}{x}{y}", "https://*/{z}/{x}/{y}",
    ])
    func `A template that is none, or that would allow more than its pictures, is refused`(_ template: String) {
        #expect(TileServer(template: template, attribution: "") == nil)
    }

    @Test func `On this machine a tile server needs no TLS`() {
        #expect(TileServer(template: "http://127.0.0.1:8081/{z}/{x}/{y}.png", attribution: "") != nil)
    }
}
