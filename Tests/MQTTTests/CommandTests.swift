import TestSupport
import Testing
import TrackEngine
import TrackEngineMQTT
import TrackEngineSettings
import TrackEngineTestKit

@Suite("Commands over MQTT")
struct CommandTests {
    private struct Handler: MQTTCommandHandler {
        func perform(_ request: RemoteRequest, through sink: SinkID) async throws -> [UInt8] {
            guard request == .report else { throw MQTTFailure(.system, "no") }
            return Array(#"{"lat":53.5}"#.utf8)
        }
    }

    @Test(
        arguments: [
            ("startTrip", .startTrip(.bicycle)), ("stopTrip", .stopTrip),
            (#"{"command":"startTrip","mode":"tram"}"#, .startTrip(.tram)),
            (#"{"mode":"car","command":"startTrip"}"#, .startTrip(.car)),
            (
                #"{"command":"setWaypoints","waypoints":{"_type":"waypoints","waypoints":[{"rad":5}]}}"#,
                .setWaypoints(Array(#"{"_type":"waypoints","waypoints":[{"rad":5}]}"#.utf8))
            ),
            ("setWaypoints", nil), (#"{"command":"startTrip","mode":"rocket"}"#, nil),
            (#"{"command":"startTrip","mode":1}"#, nil),
            (#"{"command":"startTrip","mode":"car","waypoints":1}"#, nil),
        ] as [(String, RemoteRequest?)])
    func `Trips and places have what they need beside their name`(_ text: String, _ expected: RemoteRequest?) {
        let message = ReceivedMessage(topic: "t", payload: Array(text.utf8))
        do throws(RemoteRejection) {
            let read = try RemoteRequest(message, allowed: Set(MQTTCommand.allCases))
            #expect(read == expected)
        } catch {
            #expect(expected == nil)
            expectMessage(error.description, as: "any command: \(text)")
        }
    }

    @Test(
        arguments: [
            ("report", .report), (" sync\n", .sync), (#"{"command":"report"}"#, .report),
            ("status", nil), ("reboot", nil), ("", nil), ("{", nil), ("\u{0}\u{FFFF}", nil), ("[[[[[[[[1]]]]]]]]", nil),
        ] as [(String, RemoteRequest?)])
    func `Only what is allowed is read as a command`(_ text: String, _ expected: RemoteRequest?) {
        let message = ReceivedMessage(topic: "cmd", payload: Array(text.utf8))
        do throws(RemoteRejection) {
            let read = try RemoteRequest(message, allowed: [.report, .sync])
            #expect(read == expected)
        } catch {
            #expect(expected == nil)
            expectMessage(error.description, as: "report or sync: \(text)")
        }
    }

    @Test(
        arguments: [
            (
                #"{"command":"setConfiguration","configuration":{"tracking":{"interval":60,"angle":null}}}"#,
                .setConfiguration([RemoteValue("tracking.interval", "60"), RemoteValue("tracking.angle", "null")])
            ),
            (
                #"{"command":"setConfiguration","configuration":{"log.level":"debug"}}"#,
                .setConfiguration([RemoteValue("log.level", "debug")])
            ),
            ("setConfiguration", nil),
            (#"{"command":"setConfiguration","configuration":{"tracking":[1]}}"#, nil),
        ] as [(String, RemoteRequest?)])
    func `A change of the configuration has its values beside it`(_ text: String, _ expected: RemoteRequest?) {
        let message = ReceivedMessage(topic: "cmd", payload: Array(text.utf8))
        do throws(RemoteRejection) {
            let read = try RemoteRequest(message, allowed: [.setConfiguration])
            #expect(read == expected)
        } catch {
            #expect(expected == nil)
            expectMessage(error.description, as: "setConfiguration: \(text)")
        }
        let refusal = #expect(throws: RemoteRejection.self) { try RemoteRequest(message, allowed: [.report]) }
        expectMessage(refusal?.description, as: "setConfiguration where report alone is allowed")
    }

    @Test
    func `Retained and overlong messages are no commands`() {
        func reason(_ message: ReceivedMessage) -> String? {
            #expect(throws: RemoteRejection.self) { try RemoteRequest(message, allowed: [.report]) }?.description
        }
        var message = ReceivedMessage(topic: "cmd", payload: Array("report".utf8))
        message.isRetained = true
        expectMessage(reason(message), as: "a retained command")
        message = ReceivedMessage(topic: "cmd", payload: [])
        message.isTooLong = true
        expectMessage(reason(message), as: "a command that is too long")
    }

    @Test(
        arguments: [
            (nil, "cmd/reply"), ("cmd/reply/7", "cmd/reply/7"), ("cmd", "cmd/reply"), ("cmd/reply/#", "cmd/reply"),
            ("fleet/van-8/cmd", "cmd/reply"), ("$SYS/x", "cmd/reply"),
        ] as [(String?, String)])
    func `An answer goes where the request wants it, if that is below the reply topic, and nowhere else`(
        _ wanted: String?, _ expected: String
    ) {
        var message = ReceivedMessage(topic: "cmd", payload: [])
        message.responseTopic = wanted
        message.correlation = [1, 2]
        let reply = CommandReply.message(.error("no"), to: message, commandTopic: "cmd")
        #expect(reply.topic == expected)
        #expect(reply.correlation == [1, 2])
        #expect(String(decoding: reply.payload, as: UTF8.self) == #"{"error":"no"}"#)
    }

    @Test
    func `Through a real broker: allowed ones are answered, others counted and answered with an error`() async throws {
        try await TestEnvironment.withTemporaryDirectory { directory in
            let broker = try await MosquittoBroker(in: directory)
            let subscriber = try await SubscriberProcess(
                of: broker, log: directory + "/log", filter: "fleet/van-7/cmd/reply")
            let sink = try Samples.sink(port: broker.port) {
                $0.commands = .init(topic: "fleet/van-7/cmd", allowed: [.report, .status])
            }
            sink.handleCommands(with: Handler())
            let upkeep = Task { try await sink.run() }
            let person = try Samples.speaker(port: broker.port)
            // Once a record is acknowledged, the broker has the subscription that was sent before it.
            try await sink.deliverAll(SampleRecords.records(count: 1))
            for (index, text) in ["report", "sync", "status", String(repeating: "x", count: 5000)].enumerated() {
                try await person.say(MQTTMessage(topic: "fleet/van-7/cmd", payload: Array(text.utf8)))
                try await eventually("answer \(index)") { try subscriber.messages().count == index + 1 }
            }
            let answers = try subscriber.messages().map(\.payload)
            #expect(answers.first == #"{"command":"report","result":{"lat":53.5}}"#)
            #expect(answers.dropFirst().allSatisfy { $0.hasPrefix(#"{"error":"#) })
            expectMessages(answers)
            #expect(sink.status.commandsRejected == 3)
            #expect(sink.status.commandsDone == 1)
            upkeep.cancel()
            await person.close()
            await sink.close()
        }
    }
}
