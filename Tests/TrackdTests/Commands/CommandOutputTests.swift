import Foundation
import TestSupport
import Testing
import TrackEngineAgent
import TrackEngineSettings

@Suite struct CommandOutputTests {
    @Test func `nothing is written before the buffer is full, and everything afterwards`() throws {
        let pipe = Pipe()
        var output = CommandOutput(to: pipe.fileHandleForWriting.fileDescriptor, capacity: 4)
        output.bytes += [1, 2, 3]
        try output.flushIfFull()
        #expect(output.bytes == [1, 2, 3])
        output.bytes += [4, 5]
        try output.flushIfFull()
        #expect(output.bytes == [])
        #expect(pipe.fileHandleForReading.availableData == Data([1, 2, 3, 4, 5]))
    }

    @Test func `a reader that has gone is an error and not a signal`() throws {
        CommandOutput.ignoreBrokenPipes()
        let pipe = Pipe()
        var output = CommandOutput(to: pipe.fileHandleForWriting.fileDescriptor)
        try pipe.fileHandleForReading.close()
        output.bytes += [1]
        do {
            try output.flush()
            Issue.record("written to nobody")
        } catch {
            #expect(error.isBrokenPipe)
        }
    }

    @Test func `a closed descriptor is an error that says so`() {
        var output = CommandOutput(to: -1)
        output.bytes += [1]
        do {
            try output.flush()
            Issue.record("written to nothing")
        } catch {
            #expect(!error.isBrokenPipe)
            expectMessage(error.description)
        }
    }
}
