import TestSupport
import Testing
import TrackEngine
import TrackEngineAgent

/// How long a kept pause lasts, by clocks that may be wrong, and its file.
@Suite struct SavedPauseTests {
    private static let noon = Timestamp(secondsSince1970: 1_767_268_800)  // 2026-01-01T12:00:00Z
    private static let unset = Timestamp(secondsSince1970: 5)
    private static let twoHours = Duration.seconds(7200)

    private static func machine(_ wall: Timestamp, up seconds: Int, _ boot: String) -> MachineTime {
        MachineTime(wall: wall, uptime: .seconds(seconds), boot: boot)
    }

    private static let pause = SavedPause(from: machine(noon, up: 1000, "a"), for: twoHours)

    private static func later(_ seconds: Int) -> Timestamp { noon.advanced(by: .seconds(seconds)) }

    @Test(
        arguments: [noon, unset, later(86_400 * 400)])
    func `while the machine runs, its uptime counts, whatever the time of day says`(_ wall: Timestamp) {
        #expect(Self.pause.rest(at: Self.machine(wall, up: 2800, "a")) == .lasts(.seconds(5400)))
        #expect(Self.pause.rest(at: Self.machine(wall, up: 8200, "a")) == .over)
    }

    @Test
    func `after another start the time of day counts`() {
        #expect(Self.pause.rest(at: Self.machine(Self.later(3600), up: 60, "b")) == .lasts(.seconds(3600)))
        #expect(Self.pause.rest(at: Self.machine(Self.later(7200), up: 60, "b")) == .over)
        #expect(Self.pause.rest(at: Self.machine(Self.later(86_400 * 300), up: 60, "b")) == .over)
    }

    @Test(arguments: [unset, later(86_400 * 400)])
    func `a clock that cannot be right does not end it, and the uptime does`(_ wall: Timestamp) {
        #expect(Self.pause.rest(at: Self.machine(wall, up: 60, "b")) == .lasts(.seconds(7140)))
        #expect(Self.pause.rest(at: Self.machine(wall, up: 7200, "b")) == .over)
    }

    @Test
    func `one that began before the clock was set is not ended by the clock`() {
        let pause = SavedPause(from: Self.machine(Self.unset, up: 10, "a"), for: Self.twoHours)
        #expect(pause.rest(at: Self.machine(Self.noon, up: 60, "b")) == .lasts(.seconds(7140)))
        let corrected = pause.corrected(at: Self.machine(Self.noon, up: 610, "a"))
        #expect(corrected?.begin.wall == Self.later(-600))
        #expect(corrected?.rest(at: Self.machine(Self.later(3000), up: 60, "b")) == .lasts(.seconds(3600)))
        #expect(corrected?.corrected(at: Self.machine(Self.noon, up: 610, "a")) == nil)
    }

    @Test
    func `without a length it lasts until it is resumed`() {
        var pause = SavedPause(from: Self.machine(Self.noon, up: 0, "a"), for: nil)
        #expect(pause.rest(at: Self.machine(Self.later(86_400 * 3000), up: 86_400 * 3000, "b")) == .untilResumed)
        pause.isEnded = true
        #expect(pause.rest(at: Self.machine(Self.noon, up: 0, "a")) == .over)
    }

    @Test
    func `the file reads back as it was written, and only its owner can read it`() async throws {
        try await TestEnvironment.withTemporaryDirectory { folder in
            let file = PauseFile(in: folder + "/state")
            #expect(file.read() == .none)
            var ended = Self.pause
            ended.isEnded = true
            for pause in [Self.pause, ended, SavedPause(from: Self.machine(Self.noon, up: 0, ""), for: nil)] {
                try file.write(pause)
                #expect(file.read() == .pause(pause))
            }
            #expect(FileStatus.following(file.path)?.mode == 0o600)
            file.remove()
            #expect(file.read() == .none)
        }
    }

    @Test(
        arguments: ["", "{}", "[", #"{"version":2}"#, #"{"version":1,"since":"today","boot":"","uptime":1}"#])
    func `what is no pause is told apart from none`(_ text: String) {
        #expect(SavedPause(Array(text.utf8)) == nil)
    }

    @Test
    func `cut anywhere it is no pause`() {
        let bytes = Self.pause.bytes
        for count in 0..<bytes.count - 2 { #expect(SavedPause(Array(bytes.prefix(count))) == nil) }
    }
}
