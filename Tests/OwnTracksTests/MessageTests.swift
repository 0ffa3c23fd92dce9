import OwnTracksFormat
import TestSupport
import Testing
import TrackEngine
import TrackEngineSettings

@Suite("OwnTracks' other messages")
struct MessageTests {
    private let location = LocationMessage(trackerID: "n7", assumedAccuracy: 100)
    private let topic = Array(#""owntracks/jane/van""#.utf8)

    private func answer(_ command: RemoteCommand, _ result: String) -> String? {
        CommandReplyMessage(command, result: Array(result.utf8), location: location, quotedTopic: topic).map {
            $0.subtopic + " " + String(decoding: $0.payload, as: UTF8.self)
        }
    }

    @Test func `the answer to reportLocation is a location that says so`() {
        #expect(
            answer(.report, #"{"time":"2026-03-01T10:00:00Z","latitude":53.5,"longitude":10,"speed":10,"course":90}"#)
                == #" {"_type":"location","lat":53.5,"lon":10,"tst":1772359200,"created_at":1772359200,"acc":100,"#
                + #""vel":36,"cog":90,"t":"r","topic":"owntracks/jane/van","tid":"n7"}"#)
        #expect(answer(.report, "{}") == nil)
    }

    @Test func `texts beyond ASCII are escaped, as Traccar reads no others`() throws {
        let names = ["Zürich", "東京", "Depot 🚚", "\u{7f}plain\"", "e\u{301}"]
        let message = #"{"a":"\#(names.joined(separator: "|").replacing("\"", with: "\\\""))"}"#
        let card = OwnTracksMessage.card(name: names.joined(separator: "|"), face: nil, trackerID: "ü7")
        let wanted = names.joined(separator: "|")
        #expect(JSONValue(ifReadable: card)?["name"]?.string == wanted)
        let status = try #require(
            CommandReplyMessage(.status, result: Array(message.utf8), location: location, quotedTopic: topic))
        #expect(JSONValue(ifReadable: status.payload)?["trackengine"]?["a"]?.string == wanted)
        let answer = try #require(
            CommandReplyMessage(
                .report, result: Array(#"{"time":"2026-03-01T10:00:00Z","latitude":53.5,"longitude":10}"#.utf8),
                location: LocationMessage(trackerID: "ü🚚", assumedAccuracy: 100), quotedTopic: Array(#""zug/ü""#.utf8)))
        #expect(JSONValue(ifReadable: answer.payload)?["tid"]?.string == "ü🚚")
        #expect(
            String(decoding: answer.payload, as: UTF8.self).contains(
                #""topic":"zug/\u00fc","tid":"\u00fc\ud83d\ude9a""#))
        let places = #"{"_type":"waypoints","waypoints":[{"_type":"waypoint","desc":"Zürich 🚚","rid":"zü"}]}"#
        let waypoints = try #require(
            CommandReplyMessage(.waypoints, result: Array(places.utf8), location: location, quotedTopic: topic))
        #expect(try JSONValue.parse(waypoints.payload) == JSONValue.parse(places.utf8))
        for payload in [card, status.payload, answer.payload, waypoints.payload] {
            #expect(payload.allSatisfy { $0 < 0x80 })
        }
    }

    @Test func `status and dump hold what the agent says`() {
        #expect(answer(.status, #"{"a":1}"#) == #"/status {"_type":"status","trackengine":{"a":1}}"#)
        #expect(
            answer(.dump, #"{"a":1}"#)
                == #"/dump {"_type":"dump","configuration":{"_type":"configuration","trackengine":{"a":1}}}"#)
        #expect(answer(.sync, "{}") == nil)
        #expect(answer(.status, String(repeating: "1", count: CommandReplyMessage.longestResult + 1)) == nil)
    }

    @Test(
        arguments: [
            (#"{"_type":"cmd","action":"reportLocation"}"#, .report),
            (#"{"_type":"cmd","action":"status"}"#, .status),
            (#"{"_type":"cmd","action":"dump"}"#, nil), (#"{"_type":"cmd","action":"setWaypoints"}"#, nil),
            (#"{"_type":"location"}"#, nil),
        ] as [(String, RemoteRequest?)])
    func `only what is allowed is a command`(_ text: String, _ expected: RemoteRequest?) throws {
        let message = try JSONValue.parse(text.utf8)
        do throws(RemoteRejection) {
            let read = try RemoteRequest(ownTracks: message, allowed: [.report, .status])
            #expect(read == expected)
        } catch {
            #expect(expected == nil)
            expectMessage(error.description, as: "report or status: \(text)")
        }
    }

    @Test(
        arguments: [
            (#"{"_type":"cmd","action":"startTrip","mode":"tram"}"#, .startTrip(.tram)),
            (#"{"_type":"cmd","action":"startTrip"}"#, .startTrip(.bicycle)),
            (#"{"_type":"cmd","action":"stopTrip"}"#, .stopTrip),
            (#"{"_type":"cmd","action":"waypoints"}"#, .waypoints),
            (#"{"_type":"cmd","action":"clearWaypoints"}"#, .clearWaypoints),
            (
                #"{"_type":"cmd","action":"setWaypoints","waypoints":{"_type":"waypoints","waypoints":[{"rad":5}]}}"#,
                .setWaypoints(Array(#"{"_type":"waypoints","waypoints":[{"rad":5}]}"#.utf8))
            ),
            (
                #"{"_type":"cmd","action":"setWaypoints","waypoints":{"_type":"waypoint","rad":5}}"#,
                .setWaypoints(Array(#"{"_type":"waypoint","rad":5}"#.utf8))
            ),
            (
                #"{"_type":"cmd","action":"setWaypoints","waypoints":{"_type":"waypoints","waypoints":[]}}"#, nil
            ),
            (#"{"_type":"cmd","action":"party"}"#, nil), (#"{"_type":"cmd","action":"startTrip","mode":"car "}"#, nil),
        ] as [(String, RemoteRequest?)])
    func `trips and places are commands, too`(_ text: String, _ expected: RemoteRequest?) throws {
        let message = try JSONValue.parse(text.utf8)
        do throws(RemoteRejection) {
            let read = try RemoteRequest(ownTracks: message, allowed: Set(RemoteCommand.allCases))
            #expect(read == expected)
        } catch {
            #expect(expected == nil)
            expectMessage(error.description, as: "any command: \(text)")
        }
        #expect(throws: RemoteRejection.self) { try RemoteRequest(ownTracks: message, allowed: [.report]) }
    }

    @Test func `waypoints are published as they are, below the topic of the locations`() {
        #expect(
            answer(.waypoints, #"{"_type":"waypoints","waypoints":[]}"#)
                == #"/waypoints {"_type":"waypoints","waypoints":[]}"#)
        #expect(answer(.stopTrip, #"{"wasUnderWay":true}"#) == nil)
    }

    @Test(
        arguments: [
            (
                #"{"_type":"configuration","locatorDisplacement":50,"locatorInterval":0,"tracking":{"stillAfter":90}}"#,
                .setConfiguration([
                    RemoteValue("tracking.distanceFilter", "50"), RemoteValue("tracking.interval", "null"),
                    RemoteValue("tracking.stillAfter", "90"),
                ])
            ),
            (
                #"{"ignoreInaccurateLocations":0,"monitoring":2}"#,
                .setConfiguration([RemoteValue("tracking.minimumAccuracy", "null"), RemoteValue("monitoring", "2")])
            ),
            (#"{"_type":"configuration"}"#, nil), ("[]", nil),
        ] as [(String, RemoteRequest?)])
    func `setConfiguration has the apps' keys, or ours`(_ configuration: String, _ expected: RemoteRequest?) throws {
        let text = #"{"_type":"cmd","action":"setConfiguration","configuration":\#(configuration)}"#
        let message = try JSONValue.parse(text.utf8)
        do throws(RemoteRejection) {
            let read = try RemoteRequest(ownTracks: message, allowed: [.setConfiguration])
            #expect(read == expected)
        } catch {
            #expect(expected == nil)
            expectMessage(error.description, as: "configuration \(configuration)")
        }
    }

    @Test func `a card has a name and a picture, a last will the time of the start`() {
        #expect(
            String(decoding: OwnTracksMessage.card(name: "Van 7", face: [1, 2, 3], trackerID: "n7"), as: UTF8.self)
                == #"{"_type":"card","tid":"n7","name":"Van 7","face":"AQID"}"#)
        #expect(
            String(
                decoding: OwnTracksMessage.lastWill(since: Timestamp(secondsSince1970: 1_772_359_200)), as: UTF8.self)
                == #"{"_type":"lwt","tst":1772359200}"#)
    }

    @Test(arguments: [("Jane", "Van_7"), ("jane", "van-7"), ("JANE", "van 7")])
    func `the Recorder makes one name of several`(_ user: String, _ device: String) {
        #expect(RecorderName.folded(user: user, device: DeviceID(rawValue: device)) == "jane/van-7")
    }
}
