import Testing

@Suite struct HiddenPositionsTests {
    @Test func `a longitude is found, and a time of day is none`() {
        let positions = HiddenPositions([])
        #expect(positions.first(in: Array(#"{"longitude":10.153,"#.utf8)) != nil)
        #expect(positions.first(in: Array(#"{"time":"2026-03-01T19:12:10.153Z"}"#.utf8)) == nil)
    }
}
