#if canImport(Glibc)
    import Glibc
    import Testing
    import TrackEngineAgent

    /// Memory that was freed.
    @Suite struct LongAllocationTests {
        @Test func `a long piece is the system's again, also after others of its length were freed`() throws {
            LongAllocations.giveBack()
            let length = 24 << 20
            for _ in 0..<3 {
                let piece = try #require(malloc(length))
                #expect(mallinfo2().hblkhd >= length)
                free(piece)
            }
        }
    }
#endif
