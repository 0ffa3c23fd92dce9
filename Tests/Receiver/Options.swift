/// What the command line asks for.
struct Options {
    var port = 0
    var log = ""
    var certificate: String?
    var key: String?
    var clientAuthority: String?

    /// Reads `--port N --log FILE [--tls-cert FILE --tls-key FILE [--client-ca FILE]]`; `nil` when it is something else.
    init?(_ arguments: some Collection<String>) {
        var rest = Array(arguments)[...]
        while let name = rest.popFirst() {
            guard let value = rest.popFirst() else { return nil }
            switch name {
            case "--port":
                guard let number = Int(value), (0...65_535).contains(number) else { return nil }
                port = number
            case "--log": log = value
            case "--tls-cert": certificate = value
            case "--tls-key": key = value
            case "--client-ca": clientAuthority = value
            default: return nil
            }
        }
        guard !log.isEmpty, (certificate == nil) == (key == nil) else { return nil }
    }

    static let usage = "usage: test-receiver --log FILE [--port N] [--tls-cert FILE --tls-key FILE [--client-ca FILE]]"
}
