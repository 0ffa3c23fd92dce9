import TrackEngine

extension GPSDSource {
    /// The address of gpsd, and the timeouts of the source.
    public struct Configuration: Sendable, Hashable {
        /// The name or address of the host that runs gpsd. An IPv6 address is written without brackets.
        public var host = "localhost"

        /// gpsd's TCP port.
        public var port: UInt16 = 2947

        /// The path of the only receiver to use, exactly as gpsd names it, for example `/dev/ttyACM0`.
        ///
        /// `nil` follows the first receiver that delivers a position until gpsd reports its removal, or until it has
        /// had no position for ``silenceTimeout`` while another receiver has one.
        public var device: String?

        /// The time limit for name resolution and connecting together, over all addresses of the host.
        ///
        /// With too short a limit, a slow link never connects; with too long a limit, an address that drops packets
        /// delays the next attempt. 10 ms to 1 day, like all times here.
        public var connectTimeout = Duration.seconds(5)

        /// The time limit for an answer from gpsd before the connection counts as dead.
        public var answerTimeout = Duration.seconds(5)

        /// The maximum silence of a watched gpsd before the source checks that it still answers.
        ///
        /// A slower receiver costs only one short request each time.
        public var silenceTimeout = Duration.seconds(15)

        /// The wait after the first failure to reach gpsd; it doubles with each further failure.
        public var reconnectFirst = Duration.seconds(1)

        /// The longest wait between two attempts, and so the maximum delay until a restarted gpsd is noticed. Not less
        /// than ``reconnectFirst``.
        public var reconnectMost = Duration.seconds(30)

        /// The number of fixes that wait for an engine that is slower than the receiver, 1 to 1 000 000.
        ///
        /// gpsd drops clients that read too slowly, so the source always reads at once. If this many fixes wait, the
        /// oldest is dropped and reported as an overflow. 2400 is two minutes at 20 Hz and 600 kB: twice as long as
        /// the longest commit interval of the store.
        public var queueCapacity = 2400

        /// gpsd on this machine, with any receiver.
        public init() {}

        /// gpsd on another host, with any receiver.
        public init(host: String, port: UInt16 = 2947) {
            self.host = host
            self.port = port
        }
    }
}

extension GPSDSource.Configuration {
    package static let ports: ClosedRange<UInt16> = 1...65_535

    /// Checks every value; within these bounds no timer spins.
    ///
    /// - Throws: an error that lists all invalid values.
    func validate() throws(ConfigurationError) {
        var check = ConfigurationCheck()
        if host.isEmpty { check.problem("host", "(empty)", "a host name or address") }
        check.range("port", port, Self.ports)
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
        check.range("queueCapacity", queueCapacity, 1...1_000_000, "fixes")
        try check.finish()
    }
}
