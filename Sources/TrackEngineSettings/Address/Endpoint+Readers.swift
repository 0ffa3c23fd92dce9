extension Endpoint {
    /// The people with access to the data sent to an address, in words that follow "seen by". Template parameters are
    /// ignored.
    package static func readers(of address: String) -> String {
        guard let origin = Endpoint(ifReadable: String(address.prefix { $0 != "%" }))?.origin else {
            return "the operator of the receiver"
        }
        if origin.isLoopback { return "the receiver on this machine" }
        return "the operator of \(origin.host)" + (origin.scheme == .http ? ", and everyone on the way" : "")
    }
}
