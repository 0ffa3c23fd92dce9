import TrackEngine

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
        /// attempt. 10 ms to 1 day, as all times here.
        public var connectTimeout = Duration.seconds(5)

        /// How long gpsd may take to answer a request before the connection counts as dead.
        public var answerTimeout = Duration.seconds(5)

        /// How long a watched gpsd may say nothing before it is asked whether it still lives.
        ///
        /// A receiver that is slower than this costs one short request each time, no more.
        public var silenceTimeout = Duration.seconds(15)

        /// The wait after the first failure to reach gpsd; it doubles with each further one.
        public var reconnectFirst = Duration.seconds(1)

        /// The longest wait between two attempts, and so the longest that a gpsd that came back goes unnoticed. Not
        /// less than ``reconnectFirst``.
        public var reconnectMost = Duration.seconds(30)

        /// How many fixes wait for an engine that is slower than the receiver, 1 to 1 000 000.
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
    }
}

extension GPSDSource.Configuration {
    /// Checks every value; within these bounds no timer ever spins.
    ///
    /// - Throws: an error that lists all that are wrong.
    func validate() throws(ConfigurationError) {
        var check = ConfigurationCheck()
        if host.isEmpty { check.problem("host", "(empty)", "a host name or address") }
        check.range("port", port, 1...65_535)
        let times = Duration.milliseconds(10) ... .seconds(86_400)
        for (key, value) in [
            ("connectTimeout", connectTimeout), ("answerTimeout", answerTimeout), ("silenceTimeout", silenceTimeout),
            ("reconnectFirst", reconnectFirst), ("reconnectMost", reconnectMost),
        ] where !times.contains(value) {
            check.problem(key, value.inWords, "0.01 to 86400 seconds")
        }
        if reconnectMost < reconnectFirst {
            check.problem("reconnectMost", reconnectMost.inWords, "at least reconnectFirst (\(reconnectFirst.inWords))")
        }
        check.range("mailboxCapacity", mailboxCapacity, 1...1_000_000, "fixes")
        try check.finish()
    }
}
