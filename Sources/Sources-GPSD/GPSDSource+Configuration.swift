extension GPSDSource {
    /// Where gpsd is, and how patient the source is with it.
    public struct Configuration: Sendable, Hashable {
        /// Name or address of the host that runs gpsd. An IPv6 address stands without brackets.
        public var host = "localhost"

        /// gpsd's TCP port.
        public var port: UInt16 = 2947

        /// The path of the receiver to listen to, exactly as gpsd names it, for example `/dev/ttyACM0`.
        ///
        /// `nil` follows the first receiver that delivers a position until gpsd says that it has gone, or until it has
        /// been without a position for ``silenceTimeout`` while another one has some.
        public var device: String?

        /// How long name resolution and connecting may take together, over all addresses of the host.
        ///
        /// Too short, and a slow link never connects; too long, and an address that swallows packets holds up the next
        /// attempt. At least 10 ms.
        public var connectTimeout = Duration.seconds(5)

        /// How long gpsd may take to answer a request before the connection counts as dead. At least 10 ms.
        public var answerTimeout = Duration.seconds(5)

        /// How long a watched gpsd may say nothing before it is asked whether it still lives.
        ///
        /// A receiver that is slower than this costs one short request each time, no more. At least 10 ms.
        public var silenceTimeout = Duration.seconds(15)

        /// The wait after the first failure to reach gpsd; it doubles with each further one. At least 10 ms.
        public var reconnectFirst = Duration.seconds(1)

        /// The longest wait between two attempts, and so the longest that a gpsd that came back goes unnoticed.
        public var reconnectMost = Duration.seconds(30)

        /// How many fixes wait for an engine that is slower than the receiver, at least 1.
        ///
        /// gpsd drops clients that read too slowly, so the source always reads at once. When this many fixes wait, the
        /// oldest makes room and is reported as an overflow. 2400 is two minutes at 20 Hz and 600 kB: twice as long as the
        /// longest commit interval of the store.
        public var mailboxCapacity = 2400

        /// gpsd on this machine, any receiver.
        public init() {}

        /// gpsd somewhere, any receiver.
        public init(host: String, port: UInt16 = 2947) {
            self.host = host
            self.port = port
        }

        /// With every value inside its documented bounds, so that no timer ever spins.
        var bounded: Configuration {
            var bounded = self
            let least = Duration.milliseconds(10)
            bounded.connectTimeout = max(connectTimeout, least)
            bounded.answerTimeout = max(answerTimeout, least)
            bounded.silenceTimeout = max(silenceTimeout, least)
            bounded.reconnectFirst = max(reconnectFirst, least)
            bounded.reconnectMost = max(reconnectMost, bounded.reconnectFirst)
            bounded.mailboxCapacity = max(mailboxCapacity, 1)
            return bounded
        }
    }
}
