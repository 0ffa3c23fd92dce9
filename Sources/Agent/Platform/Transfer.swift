import Glibc

/// What a read or write that never blocks came to.
enum Transfer {
    /// So many bytes; 0 from a read is the end.
    case bytes(Int)
    /// Nothing can be moved at the moment.
    case wouldBlock
    /// The other side is gone, or the descriptor is of no use.
    case failed(code: Int32)

    init(_ result: Int, code: Int32) {
        if result >= 0 {
            self = .bytes(result)
        } else if code == EAGAIN || code == EWOULDBLOCK || code == EINTR {
            self = .wouldBlock
        } else {
            self = .failed(code: code)
        }
    }
}
