/// What stands below the table: what a figure depends on, and why one is not better.
///
/// To be looked at whenever a figure changes; it is about the targets, so it names no figures of a machine.
enum Remarks {
    static let text = """

        ## What to know about the figures

        - **Filter** beside the same arithmetic in C: within a hundredth of the bound, on either side of it from run to run.
        - **StoreAppend** has its target at 100 a commit, beside a statement a row, as programs use the interface. The engine
          takes twenty rows with one statement; beside a yardstick that does so too, the rest is the encoding and the check
          of the rows (the yardstick binds ready bytes, checks nothing and hands nothing back), and the way to the store's
          thread and back, two wake-ups a commit, which is all there is to see with 1 a commit.
        - **Drain**: `mosquitto_pub` is run with 50 000 lines at a time. With more than the 65 535 packet identifiers there
          are it ends at the first PUBACK whose identifier happens to be the last line's, and throws the rest away: of
          200 000 lines in one go 3 395 are acknowledged, which makes it look several times faster than it is.
        - The worst single call of `deviation` is an election over a full window of 256 fixes: bounded, and rare.

        """
}
