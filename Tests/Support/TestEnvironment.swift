import Foundation

/// What tests find on the machine: ports, folders, programs, recorded tracks.
package enum TestEnvironment {
    /// A TCP port on the loopback interface that nobody listened on a moment ago.
    package static func freePort() throws -> Int {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        defer { close(descriptor) }
        return try bindToLoopback(descriptor)
    }

    /// Binds a TCP socket to a free port of the loopback interface; answers the port.
    static func bindToLoopback(_ descriptor: Int32) throws -> Int {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = inet_addr("127.0.0.1")
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let bound = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
                bind(descriptor, pointer, length) == 0 && getsockname(descriptor, pointer, &length) == 0
            }
        }
        guard bound else { throw CocoaError(.featureUnsupported) }
        return Int(UInt16(bigEndian: address.sin_port))
    }

    /// Whether something accepts TCP connections on a loopback port.
    package static func accepts(port: Int) -> Bool {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        defer { close(descriptor) }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = inet_addr("127.0.0.1")
        address.sin_port = UInt16(port).bigEndian
        return withUnsafePointer(to: address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
                connect(descriptor, pointer, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
            }
        }
    }

    /// A fresh folder, removed when `body` returns.
    package static func withTemporaryDirectory<Result>(
        isolation: isolated (any Actor)? = #isolation, _ body: (String) async throws -> Result
    ) async throws -> Result {
        let path = NSTemporaryDirectory() + "track-engine-" + UUID().uuidString
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: path) }  // a leftover in /tmp fails no test
        return try await body(path)
    }

    /// A program that the package builds, from the folder in which the tests were built.
    package static func builtProduct(_ name: String) -> String {
        let tests = URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent()
        return tests.appendingPathComponent(name).path
    }

    /// A recorded track beside the checkout; `nil` where that folder is missing.
    package static func corpus(_ name: String, file: StaticString = #filePath) -> String? {
        let root = URL(fileURLWithPath: "\(file)").deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        let candidates = [
            root.path + "/../shared/corpus/" + name,
            FileManager.default.currentDirectoryPath + "/../shared/corpus/" + name,
        ]
        return candidates.first { FileManager.default.fileExists(atPath: $0) }
    }
}
