/// Lets one caller at a time through, in the order of arrival, however often each of them waits inside.
///
/// An actor alone does not do that: while one of its methods awaits, another may begin.
package actor SerialGate {
    private var isBusy = false
    private var waiters: [CheckedContinuation<Void, Never>] = []

    package init() {}

    /// Waits until it is the caller's turn; pair it with ``leave()``.
    package func enter() async {
        guard isBusy else {
            isBusy = true
            return
        }
        await withCheckedContinuation { waiters.append($0) }
    }

    /// Lets the next caller through.
    package func leave() {
        if waiters.isEmpty { isBusy = false } else { waiters.removeFirst().resume() }
    }
}
