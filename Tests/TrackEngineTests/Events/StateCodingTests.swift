import Testing
import TrackEngine

@Suite struct StateCodingTests {
    @Test func `what is written is read again`() {
        var writer = StateWriter()
        writer.write(UInt8(7))
        writer.write(Int64(-12))
        writer.write(0.25)
        writer.write("Straße")
        writer.write(isPresent: true)
        var reader = StateReader(writer.bytes)
        #expect(reader.number(UInt8.self) == 7)
        #expect(reader.number(Int64.self) == -12)
        #expect(reader.double() == 0.25)
        #expect(reader.text() == "Straße")
        #expect(reader.isPresent() == true)
        #expect(reader.isAtEnd)
    }

    @Test func `a cut state ends in nil wherever it is cut`() {
        var writer = StateWriter()
        writer.write("depot")
        writer.write(1.5)
        for length in 0..<writer.bytes.count {
            var reader = StateReader(writer.bytes.prefix(length))
            #expect(reader.text() == nil || reader.double() == nil)
        }
    }
}
