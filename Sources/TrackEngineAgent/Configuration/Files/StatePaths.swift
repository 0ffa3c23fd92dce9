import Glibc
import TrackEngine
import TrackEngineSettings

/// The locations in the file system that a configuration names for the agent's state: the store's directory with the
/// device id in it, the control socket, and the directories of sinks.
///
/// ``problems`` checks them and creates no file, so `trackd check` and `trackd run` refuse the same locations for the
/// same reason. Problems that only the attempt shows, such as a full disk, are left to the attempt.
struct StatePaths: Sendable {
    let store: String
    let socket: String?
    private let kind: any StoreSettings
    private let needsDeviceID: Bool
    let sinks: [SinkConfiguration]
    let places: ConfigurationOriginTable

    /// The locations of a configuration.
    package init(_ configuration: AgentConfiguration) {
        store = configuration.store.path
        kind = configuration.store.kind
        socket = configuration.control.socket
        needsDeviceID = configuration.device.id == nil
        sinks = configuration.sinks
        places = configuration.places
    }

    /// All problems of these locations.
    package var problems: [ReportedProblem] {
        // An unusable directory is reported once, not for each file in it.
        let inStore = storeProblem == nil ? [] : [store]
        let problems =
            [storeProblem, socketProblem(saidOf: inStore)].compactMap(\.self) + sinkDirectoryProblems(saidOf: inStore)
        let identity = problems.isEmpty && needsDeviceID ? DeviceIdentity.problem(in: store) : nil
        return (problems + [identity].compactMap(\.self)).map { ReportedProblem(places.origin(of: $0.key), $0) }
    }

    // MARK: The store's directory

    private var storeProblem: ConfigurationProblem? {
        expectationOfStore.map {
            ConfigurationProblem(key: "store.path", value: store.quoted(atMost: 200), expectation: $0)
        }
    }

    func storeFiles(in directory: String) -> [String] { kind.site(in: directory).files }

    /// The expectation that the store's directory does not meet. The store closes it to all users but its owner,
    /// which must not happen to a directory that others use.
    private var expectationOfStore: String? {
        if let expectation = Self.expectation(ofLengthOf: store) { return expectation }
        guard let status = FileStatus.following(store) else { return Self.expectation(ofMaking: store) }
        guard status.kind == .directory else { return "a directory" }
        if status.isSticky || store.realPath == "/" { return "a directory of its own, not one that others use too" }
        if !status.isOwn, status.isWritableByOthers { return Self.ownerAlone }
        guard FileStatus.isWritable(store) else { return "a directory that this user may write to" }
        return kind.site(in: store).refusal.map { "a directory that a store can use: \($0.message)" }
    }

    static func expectation(ofLengthOf path: String) -> String? {
        let isTooLong = path.split(separator: "/").contains { $0.utf8.count > Int(NAME_MAX) }
        return isTooLong ? "a path of which no part between slashes has more than \(NAME_MAX) bytes" : nil
    }

    /// The expectation that the nearest existing parent of a missing directory does not meet.
    private static func expectation(ofMaking directory: String) -> String? {
        if FileStatus.at(directory) != nil { return "a directory, not a link that leads nowhere" }
        var above = directory.directory
        while FileStatus.at(above) == nil, above != above.directory { above = above.directory }
        guard FileStatus.following(above)?.kind == .directory else {
            return "a directory that can be made: \(above.quoted(atMost: 200)) is none"
        }
        guard FileStatus.isWritable(above) else {
            return "a directory that can be made: this user may not write to \(above.quoted(atMost: 200))"
        }
        return nil
    }

    // MARK: The control socket

    /// - Parameter saidOf: directories that have been reported as unusable.
    private func socketProblem(saidOf directories: [String]) -> ConfigurationProblem? {
        guard let socket else { return nil }
        func problem(_ value: String, _ expectation: String) -> ConfigurationProblem {
            ConfigurationProblem(key: "control.socket", value: value, expectation: expectation)
        }
        // The path may be derived from the store's, which can be longer.
        guard (1...UnixSocket.longestPath).contains(socket.utf8.count) else {
            return problem(
                "\(socket.utf8.count) bytes", "a path of at most \(UnixSocket.longestPath) bytes, or null")
        }
        if let expectation = expectationOfSocketName(socket) { return problem(socket.quoted(atMost: 200), expectation) }
        guard !directories.contains(socket.directory) else { return nil }
        if let status = FileStatus.at(socket), status.kind != .socket {
            return problem(socket.quoted(atMost: 200), "an unused path or that of a socket, or null")
        }
        return expectationOfSocketDirectory(socket.directory).map { problem(socket.quoted(atMost: 200), $0) }
    }

    /// The expectation that the socket's directory does not meet. It is made if it is missing, but its parent is not.
    private func expectationOfSocketDirectory(_ directory: String) -> String? {
        guard let status = FileStatus.following(directory) else {
            if storeMakes(directory) { return nil }
            let above = directory.directory
            guard FileStatus.following(above)?.kind == .directory, FileStatus.isWritable(above) else {
                return "a path in a directory that is there or can be made, or null"
            }
            return nil
        }
        guard status.kind == .directory, status.isOwn || status.owner == 0 else { return Self.ownerAlone }
        // The store makes its directory private before the socket is made.
        let isStore = status.isOwn && directory.realPath == store.realPath
        let isMadePrivate = isStore && !kind.site(in: store).keepsMode
        if status.isWritableByOthers, !isMadePrivate { return Self.ownerAlone }
        return FileStatus.isWritable(directory) ? nil : "a directory that this user may write to"
    }

    /// Whether a missing directory is the store's, or a parent of it.
    private func storeMakes(_ directory: String) -> Bool { (store + "/").hasPrefix(directory + "/") }

    private static let ownerAlone = "a directory that only its owner may write to, this user or root"
}
