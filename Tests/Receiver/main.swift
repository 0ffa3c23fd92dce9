// A receiver of the Overland format and of the OsmAnd protocol that misbehaves on request, as a process of its own, for tests.

import Foundation
import NIOPosix

guard let options = Options(CommandLine.arguments.dropFirst()) else {
    FileHandle.standardError.write(Data((Options.usage + "\n").utf8))
    exit(64)
}
signal(SIGPIPE, SIG_IGN)
do {
    let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
    let server = try await Server(options, desk: try Desk(logPath: options.log), group: group)
    FileHandle.standardOutput.write(Data("listening on \(server.port)\n".utf8))
    try await server.channel.closeFuture.get()
} catch {
    FileHandle.standardError.write(Data("test-receiver: \(error)\n".utf8))
    exit(1)
}
