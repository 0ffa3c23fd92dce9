import CMosquitto
import Glibc

/// A pipe that replaces the connection's socket while libmosquitto reads, so the library reads exactly the bytes in
/// the pipe and none that arrived meanwhile.
///
/// libmosquitto reads as many packets as it likes, and has no option to stop earlier. Its descriptor keeps its
/// number: it is made to refer to the pipe, and then to the socket again.
final class ReadingPipe {
    /// A duplicate descriptor of the connection.
    private let socket: Int32
    private let input: Int32
    private let output: Int32

    /// - Parameter socket: libmosquitto's descriptor of the connection.
    init(for socket: Int32) throws(MQTTFailure) {
        self.socket = fcntl(socket, F_DUPFD_CLOEXEC, 0)
        guard self.socket >= 0 else { throw .system(errno) }
        var ends: [Int32] = [-1, -1]
        guard pipe2(&ends, O_CLOEXEC | O_NONBLOCK) == 0 else {
            let code = errno
            close(self.socket)
            throw .system(code)
        }
        input = ends[0]
        output = ends[1]
    }

    deinit {
        close(socket)
        close(input)
        close(output)
    }

    /// Writes as many of the bytes as there is room for; returns how many.
    func put(_ bytes: ArraySlice<UInt8>) throws(MQTTFailure) -> Int {
        let count = bytes.withUnsafeBytes { Glibc.write(output, $0.baseAddress, $0.count) }
        guard count > 0 else { throw .system(errno) }
        return count
    }

    /// Whether the pipe is empty.
    var isEmpty: Bool {
        var polled = pollfd(fd: input, events: Int16(POLLIN), revents: 0)
        return poll(&polled, 1, 0) == 0
    }

    /// Makes libmosquitto's descriptor refer to the pipe.
    func takePlace(of descriptor: Int32) throws(MQTTFailure) {
        guard dup3(input, descriptor, O_CLOEXEC) >= 0 else { throw .system(errno) }
    }

    /// Makes libmosquitto's descriptor refer to the connection again.
    func giveBack(_ descriptor: Int32) {
        _ = dup3(socket, descriptor, O_CLOEXEC)  // onto an open descriptor: dup2(2) has no reason to fail
    }
}
