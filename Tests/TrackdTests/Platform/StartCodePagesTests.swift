import Testing
import TrackEngine
import TrackEngineAgent
import TrackEngineSettings

@Suite struct StartCodePagesTests {
    private func mapping(_ header: String, dirty: Int = 0, anonymous: Int = 0) -> String {
        """
        \(header)
        Size:                 32 kB
        Rss:                  24 kB
        Private_Clean:        24 kB
        Private_Dirty:         \(dirty) kB
        Anonymous:             \(anonymous) kB
        VmFlags: rd ex mr mw me

        """
    }

    @Test func `code that is as its file is releasable, and nothing else`() {
        let smaps = [
            mapping("00001000-00009000 r-xp 00000000 fe:00 1234 /usr/bin/trackd"),
            mapping("00009000-0000a000 r--p 00008000 fe:00 1234 /usr/bin/trackd"),
            mapping("0000a000-0000b000 rw-p 00009000 fe:00 1234 /usr/bin/trackd"),
            mapping("0000b000-0000c000 r-xp 00000000 fe:00 99 /usr/lib/relocated.so", dirty: 4),
            mapping("0000c000-0000d000 r-xp 00000000 fe:00 98 /usr/lib/patched.so", anonymous: 4),
            mapping("0000d000-0000e000 r-xp 00000000 00:00 0 [vdso]"),
            mapping("7f0000000000-7f0000001000 r-xp 00000000 fe:00 97 /usr/lib/a name with blanks.so"),
        ].joined()
        #expect(
            StartCodePages.releasableRanges(smaps: smaps) == [0x1000..<0x9000, 0x7f00_0000_0000..<0x7f00_0000_1000])
    }

    @Test(arguments: ["", "nonsense", "zz-yy r-xp 0 0 1\nVmFlags: rd", "2000-1000 r-xp 0 fe:00 1 x\nVmFlags:"])
    func `what is no list of mappings has nothing to release`(_ text: String) {
        #expect(StartCodePages.releasableRanges(smaps: text).isEmpty)
    }

    @Test func `a mapping that says nothing about its pages is left alone`() {
        let text = "00001000-00009000 r-xp 00000000 fe:00 1234 /usr/bin/trackd\nVmFlags: rd ex\n"
        #expect(StartCodePages.releasableRanges(smaps: text).isEmpty)
    }

    @Test func `the program goes on after a release`() {
        StartCodePages.release()
        #expect(!StatusText.lines(SampleStatus.agent()).isEmpty)
    }
}
