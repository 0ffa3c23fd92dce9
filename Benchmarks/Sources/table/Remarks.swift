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
        - **Encryption** costs a microsecond a record or point: XChaCha20-Poly1305 by libsodium, of a history also the hash by
          which a repetition is known, and twice the bytes a point. What share that is depends on the disk; in memory alone it
          is as much again as the rest of the work. What is drawn once is kept, encrypted, and costs next to nothing more.
        - **Drain**: `mosquitto_pub` is run with 50 000 lines at a time. With more than the 65 535 packet identifiers there
          are it ends at the first PUBACK whose identifier happens to be the last line's, and throws the rest away: of
          200 000 lines in one go 3 395 are acknowledged, which makes it look several times faster than it is.
        - **Server**: senders, viewers and server share the processors. Viewers are a process of their own, in C. From a place
          to a viewer is from before the request's first byte, or gpsd's line, to the return of the viewer's read. gpsd may
          say more of a moment, so a fix of its waits 150 ms at least for that, unless the next one comes before. "While 1,000
          watch" without a pace is as fast as four senders go, who share the processors with what each viewer is sent, ten
          times a second.
        - **incognita** is its author's own receiver, where `BENCH_RECEIVERS` names it: `momonala/incognita`, whose code cannot
          be here. Of April 2025: `overland_server.py` and `database.py` of commit 32be61b, run as its systemd unit runs it,
          with Flask's own server. It writes each batch to a file and, by way of pandas, to SQLite, a commit a batch; SQLite
          syncs its file, and nobody the other. Of 2026: the route `/dump` of `data_api.py` of commit 0470853, and `database.py`
          of commit 04a9f88, which pass over a batch whose first time, last time and count they know.
        - **Bindings**: each fix is checked and brought from the 112 bytes of the interface into the engine's form, and each
          decision is written into the caller's memory; the Swift pipeline gets fixes that are there. Of the resident memory
          most is the Swift runtime.
        - The worst single call of `deviation` is an election over a full window of 256 fixes: bounded, and rare.

        """
}
