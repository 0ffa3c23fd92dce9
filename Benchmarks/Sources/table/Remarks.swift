/// What stands below the table: why a target is not reached.
///
/// To be looked at whenever a figure changes; it is about the targets, so it names no figures of a machine.
enum Remarks {
    static let text = """

        ## Where a target is not reached

        - **Filter** beside the same arithmetic in C: within a hundredth of the bound, on either side of it from run to run.
        - **Pipeline**: the odometer and the rules beside `distance` came after the target was set. A profile shows, besides
          the odometer, copies of whole fixes: a `Decision` holds one, and with more cases and a larger record the compiler
          builds it aside and copies it.
        - **StoreAppend**, 100 a commit: both sides write the same rows with the same settings. A profile shows the rest on
          the processor, half of it in the encoding of the payload; the yardstick binds ready bytes, checks nothing and
          hands nothing back.
        - **Drain**, a record a message: both sides are held to 20 messages in flight, and in libmosquitto each message
          takes the same five system calls. Ours has 668 bytes with three properties beside 255 with none; and between two
          batches of 1000 the broker waits while one is settled, read and encoded, one after the other. Sending only when
          half of the window is free, no cork, TCP_NODELAY, and confirming only the last packets were tried and are no
          faster. Reading the next batch ahead has not been tried.
        - **Tracker**: on either side of the bound from run to run; each fix goes through the pipeline.
        - **Drain**, batches: a matter of what else the machine does. `mosquitto_pub` keeps two threads and the broker busy,
          so it loses more to others than ours: in quieter minutes it took 2.9 µs, and the
          ratios were 0.23 a record a message and 0.62 in batches (before rows were read faster). Beside that,
          reading and encoding a record take about as long as the target allows, and the transfer comes on top.
        - The worst single call of `deviation` is an election over a full window of 256 fixes: bounded, and rare.

        """
}
