import Foundation

/// The receiver that many write for themselves: Python's own HTTP server and SQLite, a row a place, a commit a batch.
struct PythonReceiver {
    let port: Int
    private let process: Process

    /// `nil` where there is no Python.
    init?(in folder: String) throws {
        let script = folder + "/receiver.py"
        try Self.program.write(toFile: script, atomically: true, encoding: .utf8)
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = ["python3", script, folder + "/python.sqlite"]
        process.standardError = FileHandle.nullDevice
        let output = Pipe()
        process.standardOutput = output
        do { try process.run() } catch { return nil }
        let line = String(decoding: output.fileHandleForReading.availableData, as: UTF8.self)
        guard let port = Int(line.trimmingCharacters(in: .whitespacesAndNewlines)) else { return nil }
        self.port = port
        self.process = process
    }

    func stop() {
        kill(process.processIdentifier, SIGKILL)  // it may have inherited that SIGTERM is blocked
        process.waitUntilExit()
    }

    private static let program = """
        import http.server, json, sqlite3, sys, threading
        lock = threading.Lock()
        database = sqlite3.connect(sys.argv[1], check_same_thread=False)
        database.execute("pragma journal_mode=wal")
        database.execute("pragma synchronous=full")
        database.execute("create table place (device text, time text, latitude real, longitude real, speed real, "
                         "accuracy real, unique (device, time))")
        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"
            disable_nagle_algorithm = True
            def do_POST(self):
                batch = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
                with lock:
                    for feature in batch["locations"]:
                        longitude, latitude = feature["geometry"]["coordinates"]
                        values = feature["properties"]
                        database.execute("insert or ignore into place values (?, ?, ?, ?, ?, ?)", (
                            values["device_id"], values["timestamp"], latitude, longitude, values.get("speed"),
                            values.get("horizontal_accuracy")))
                    database.commit()
                self.send_response(200)
                self.send_header("Content-Length", "15")
                self.end_headers()
                self.wfile.write(b'{"result":"ok"}')
            def log_message(self, *_):
                pass
        server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        print(server.server_address[1], flush=True)
        server.serve_forever()

        """
}
