// An MQTT subscriber for tests: appends one JSON line a message to a file, and acknowledges it after that.
//
// test-subscriber --port N --id NAME --log FILE [--host H] [--topic FILTER] [--user U --password P] [--ca FILE]
//                 [--confirm TOPIC]
//
// With --confirm it publishes the ids of the records in each message that it has written down, as a JSON array.
// Its session outlives connections (MQTT 5, session expiry one hour), so nothing that was sent meanwhile is missed. It
// prints "subscribed" each time the broker has confirmed its subscription, and tries to connect for ever.
import CMosquitto
import Foundation

var options: [String: String] = [:]
var words = CommandLine.arguments.dropFirst()
while let name = words.popFirst(), let value = words.popFirst() { options[name] = value }
guard let port = options["--port"].flatMap(Int32.init), let log = options["--log"], let id = options["--id"] else {
    FileHandle.standardError.write(Data("--port, --id or --log is missing\n".utf8))
    exit(64)
}
let subscriber = Subscriber(
    id: id, log: log, filter: options["--topic"] ?? "#", user: options["--user"], password: options["--password"],
    authority: options["--ca"], confirmationTopic: options["--confirm"])
subscriber.run(host: options["--host"] ?? "127.0.0.1", port: port)
