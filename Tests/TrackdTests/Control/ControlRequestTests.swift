import Testing
import TrackEngine
import TrackEngineAgent
import TrackEngineSettings

/// What goes over the control socket.
@Suite struct ControlRequestTests {
    private static let id = RecordID(rawValue: 0x0123_4567_89AB_8DEF_8123_4567_89AB_CDEF)

    @Test(arguments: [
        ControlRequest.status(view: nil), .status(view: StatusStyle(columns: 132, usesColour: true)), .sync, .clear,
        .pause(nil), .pause(.seconds(7200)), .resume, .remote, .clearRemote([]), .clearRemote(["log.level"]),
        .listDeadLetters(nil), .listDeadLetters("home"), .requeueDeadLetters(DeadLetterSelection()),
        .dropDeadLetters(DeadLetterSelection(sink: "a \"b\"\n", record: id)),
        .export(ExportRequest(format: .gpx)),
        .export(
            ExportRequest(
                format: .csv, from: Timestamp(secondsSince1970: 1_767_225_600, nanoseconds: 123),
                to: Timestamp(secondsSince1970: 1_767_225_601))),
    ])
    func `a request reads back as it was written`(_ request: ControlRequest) throws {
        let line = request.line
        #expect(line.last == UInt8(ascii: "\n"))
        #expect(line.dropLast().contains(UInt8(ascii: "\n")) == false)
        #expect(try ControlRequest(line: Array(line.dropLast())) == request)
    }

    @Test(arguments: [
        "", "{", "[]", "null", "\u{0}", #"{"version":1}"#, #"{"version":1,"request":"fly"}"#,
        #"{"version":2,"request":"sync"}"#, #"{"version":"1","request":"sync"}"#, #"{"request":"sync"}"#,
        #"{"version":1,"request":"export"}"#, #"{"version":1,"request":"export","format":"exe"}"#,
        #"{"version":1,"request":"export","format":"gpx","from":"yesterday"}"#,
        #"{"version":1,"request":"export","format":"gpx","from":5}"#,
        #"{"version":1,"request":"status","view":{"columns":1e9,"colours":true}}"#,
        #"{"version":1,"request":"dead-drop","record":"x"}"#, #"{"version":1,"request":"dead-list","sink":7}"#,
        #"{"version":1,"request":"pause","seconds":59}"#, #"{"version":1,"request":"pause","seconds":"60"}"#,
        #"{"version":1,"request":"pause","seconds":2592001}"#, #"{"version":1,"request":"pause","seconds":null}"#,
        #"{"version":1,"request":"remote-clear"}"#, #"{"version":1,"request":"remote-clear","keys":[5]}"#,
        "[[[[[[[[[[",
    ])
    func `what is no request is refused as malformed`(_ text: String) {
        #expect {
            try ControlRequest(line: Array(text.utf8))
        } throws: { error in
            (error as? ControlError)?.code == .malformed
        }
    }

    @Test(arguments: [
        ControlReplyLine.part(.string("line 1\nline 2 \u{1F697}")), .result(.object([])), .result(.null),
        .error(ControlError(.failed, "no \"luck\"")),
    ])
    func `an answer reads back as it was written`(_ answer: ControlReplyLine) throws {
        #expect(try ControlReplyLine(line: Array(answer.line.dropLast())) == answer)
    }

    @Test(arguments: [
        "", "{}", #"{"version":1}"#, #"{"version":3,"result":1}"#, #"{"version":1,"error":{"code":"?"}}"#,
    ])
    func `what is no answer is refused as malformed`(_ text: String) {
        #expect(throws: ControlError.self) { try ControlReplyLine(line: Array(text.utf8)) }
    }
}
