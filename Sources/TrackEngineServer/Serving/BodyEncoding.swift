import TrackEngineFiles

/// How a body is packed for the way.
enum BodyEncoding {
    case plain
    case gzip

    /// Reads `Content-Encoding`; `nil` for an unsupported one.
    init?(_ field: String?) {
        switch field?.lowercased() {
        case nil, "", "identity": self = .plain
        case "gzip", "x-gzip": self = .gzip
        case _: return nil
        }
    }

    /// The body as it was before it was packed.
    ///
    /// - Parameters:
    ///   - body: the body as received.
    ///   - admits: whether there is room for so many bytes more.
    func decode(_ body: [UInt8], admits: (Int) -> Bool) throws(BodyProblem) -> [UInt8] {
        switch self {
        case .plain: return body
        case .gzip where body.isEmpty: return body  // some clients always send the field
        case .gzip:
            do throws(InflaterError) {
                return try Inflater.inflate(body, atMost: ServerConfiguration.largestInflatedBody, admits: admits)
            } catch {
                switch error {
                case .tooLong: throw .inflatesTooFar
                case .noRoom: throw .tooMuchAtOnce
                case .damaged(let reason): throw .damaged(reason)
                }
            }
        }
    }
}
