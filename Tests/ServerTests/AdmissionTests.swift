import Testing
import TrackEngineServer

/// What is let in at a time, in numbers.
@Suite struct AdmissionTests {
    @Test func `all bodies that arrive have 32 MiB together, and what is let go of is free again`() {
        let admission = Admission()
        #expect(admission.hold(20 << 20) && admission.hold(12 << 20))
        #expect(!admission.hold(1))
        admission.release(arrived: 12 << 20)
        #expect(!admission.hold(12 << 20 + 1))
        #expect(admission.hold(12 << 20))
    }

    @Test func `bodies of 12 MiB are read at a time, and one alone whatever its size`() {
        let admission = Admission()
        #expect(admission.read(40 << 20))
        #expect(!admission.read(1))
        admission.release(read: 40 << 20)
        #expect(admission.read(8 << 20) && admission.read(4 << 20))
        #expect(!admission.read(1))
    }

    @Test func `a sender has two requests at a time, and others have theirs`() {
        let admission = Admission()
        #expect(admission.begin("phone") && admission.begin("phone") && !admission.begin("phone"))
        #expect(admission.begin("van"))
        admission.end("phone")
        #expect(admission.begin("phone") && !admission.begin("phone"))
    }
}
