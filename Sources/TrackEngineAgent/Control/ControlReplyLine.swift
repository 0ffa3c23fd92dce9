package import TrackEngine

/// A line of a response. Any number of parts come first, then exactly one result or error.
package enum ControlReplyLine: Sendable, Hashable {
    /// A piece of a long response.
    case part(JSONValue)
    /// The end of a response.
    case result(JSONValue)
    /// The request failed.
    case error(ControlError)

    /// The longest line, in bytes.
    package static let longestLine = 1_048_576

    /// The response as a line, including its end.
    package var line: [UInt8] {
        var writer = JSONWriter(capacity: 256)
        writer.raw(#"{"version":1,"#)
        switch self {
        case .part(let value):
            writer.raw(#""part":"#)
            value.write(to: &writer)
        case .result(let value):
            writer.raw(#""result":"#)
            value.write(to: &writer)
        case .error(let error):
            writer.member(#""error":{"code":"#, error.code.rawValue)
            writer.member(#","message":"#, error.message)
            writer.raw("}")
        }
        writer.raw("}\n")
        return writer.bytes
    }

    /// Reads a line without its end.
    ///
    /// - Throws: ``ControlError/Code/malformed``.
    package init(line: [UInt8]) throws(ControlError) {
        let json: JSONValue
        do { json = try JSONValue.parse(line) } catch { throw .malformed("the agent's answer is no JSON: \(error)") }
        guard json["version"]?.number == Double(ControlRequest.version) else {
            throw .malformed("the agent speaks another version of the control protocol")
        }
        if let part = json["part"] {
            self = .part(part)
        } else if let result = json["result"] {
            self = .result(result)
        } else if let error = json["error"], let code = error["code"]?.string.flatMap(ControlError.Code.init),
            let message = error["message"]?.string
        {
            self = .error(ControlError(code, message))
        } else {
            throw .malformed("the agent's answer has neither a part, nor a result, nor an error")
        }
    }
}
