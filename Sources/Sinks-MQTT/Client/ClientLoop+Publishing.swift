import TrackEngine

extension ClientLoop {
    /// Settles acknowledgements, hands on what came in and sends what waits.
    func processSession() {
        guard let handle = session?.handle else { return }
        takeAcknowledgements()
        takeMessages()
        takeConfirmations()
        if let ending = handle.inbox.ending {
            let failure =
                ending >= 0x80
                ? ReasonCode.ending(UInt8(truncatingIfNeeded: ending))
                : MQTTFailure.library(ending, errno: 0, logText: "")
            return failed(failure)
        }
        do throws(MQTTFailure) { try resumeSubscriptions() } catch { return failed(error) }
        if let oldest = session?.inFlight.oldest, BootClock.now - oldest > settings.acknowledgementTimeout {
            return failed(MQTTFailure(.timedOut, "the broker does not acknowledge what it gets"))
        }
        do throws(MQTTFailure) {
            try endUnconfirmed()
            try send()
        } catch { failed(error) }
        showWhatIsSent()
    }

    private func showWhatIsSent() {
        let inFlight = session?.inFlight.count ?? 0
        guard inFlight != shownInFlight || sent > 0 else { return }
        shownInFlight = inFlight
        mailbox.update { status in
            status.inFlight = inFlight
            status.sent += sent
        }
        sent = 0
    }

    // MARK: In

    /// Settles what the inbox says. One look at the clock and one change of the status serve them all.
    func takeAcknowledgements() {
        guard let inbox = session?.handle.inbox, !inbox.acknowledgements.isEmpty else { return }
        var (taken, refused) = (0, 0)
        var refusal: String?
        for (packet, code) in inbox.acknowledgements {
            let code = UInt8(truncatingIfNeeded: code)
            guard let owner = session?.inFlight.acknowledged(packet) else { continue }
            switch owner {
            case .control(let topic): if code >= 0x80 { noteRefusal(of: topic, code) }
            case .delivery(let number, let message):
                guard let count = recordCount(message, of: number) else { continue }
                if code >= 0x80, count > 0 { refusal = ReasonCode.name(code) }
                if code >= 0x80 { noteRefusal(of: active?.delivery.messages[message].message.topic, count, code) }
                if count > 0 { if code < 0x80 { taken += 1 } else { refused += 1 } }
                // What settles no record (the newest one, sent ahead) may fail without harm to those that do.
                conclude(message, count == 0 ? .immaterial : ReasonCode.outcome(code, recordCount: count))
            }
        }
        inbox.acknowledgements.removeAll(keepingCapacity: true)
        if taken > 0 { reconnection.settled() }
        mailbox.update { status in
            status.acknowledged += taken
            status.refused += refused
            if taken > 0 { status.lastAcknowledgement = .now() }
            if let refusal { status.lastRefusal = refusal }
        }
    }

    /// How many records a message of the delivery under way carries; `nil` if its delivery was given up.
    private func recordCount(_ message: Int, of number: Int) -> Int? {
        active.flatMap { $0.number == number ? $0.delivery.messages[message].recordCount : nil }
    }

    private func conclude(_ message: Int, _ outcome: DeliveryProgress.Outcome) {
        var outcome = outcome
        // Where a consumer confirms, what the broker takes after a denial is not settled before that.
        if settings.confirm != nil, case .denied(let error) = outcome { outcome = .failed(error) }
        if case .failed = outcome, active?.progress.isUnderWay == true { isCautious = true }
        // A failure ends the delivery whatever a consumer confirms.
        guard settings.confirm != nil, !outcome.isFailure else { return settle(message, outcome) }
        awaited?.concluded(message, outcome)
        settleConfirmed()
    }

    /// A message has its final outcome.
    func settle(_ message: Int, _ outcome: DeliveryProgress.Outcome) {
        active?.progress.concluded(message, outcome)
        if let active { active.delivery.confirmed(active.progress.confirmed) }
        guard let result = active?.progress.result else { return }
        if result.failure == nil { isCautious = false }
        active?.delivery.end(result)
        active = nil
    }

    private func takeMessages() {
        guard let inbox = session?.handle.inbox else { return }
        takeSubscriptionReplies(inbox)
        guard !inbox.messages.isEmpty || inbox.overflow > 0 else { return }
        var commands: [IncomingMessage] = []
        for message in inbox.messages {
            if message.topic == connectMessages.birthTopic {
                if message.payload == Array("online".utf8), !message.isRetained {
                    session?.post(connectMessages.announcements)
                }
            } else {
                commands.append(message)
            }
        }
        let overflow = inbox.overflow
        inbox.messages = []
        inbox.overflow = 0
        if !commands.isEmpty || overflow > 0 { mailbox.deliver(commands, overflow: overflow) }
    }

    // MARK: Out

    /// Fills the window: first what the client says for itself, then the delivery.
    private func send() throws(MQTTFailure) {
        let now = BootClock.now
        // One segment for many messages: the broker is woken once for all of them.
        let isCorked = maySend && active?.progress.upcoming != nil
        if isCorked { session?.handle.cork(true) }
        defer { if isCorked { session?.handle.cork(false) } }
        while session?.inFlight.hasRoom == true {
            if session?.waiting.isEmpty == false {
                try sendControl(now)
            } else if maySend, active?.progress.upcoming != nil {
                try sendUpcoming(now)
            } else {
                break
            }
            // With quality of service 0 what was written is settled already, and nothing that comes in will say so.
            if settings.qualityOfService == 0 { takeAcknowledgements() }
        }
    }

    private func sendControl(_ now: Duration) throws(MQTTFailure) {
        guard let message = session?.waiting.removeFirst(), let handle = session?.handle, let limits = session?.limits
        else { return }
        switch limits.fit(message, settings) {
        case .failure(let error):
            noteRefusal(of: message.topic, "\(error.size) bytes, at most \(error.maximum) fit")
        case .success(let message):
            do throws(MosquittoHandle.PublishError) {
                let packet = try handle.publish(message, qualityOfService: settings.qualityOfService)
                session?.inFlight.sent(packet, of: .control(message.topic), at: now)
            } catch {
                switch error {
                case .message(let reason): noteRefusal(of: message.topic, reason)
                case .connection(let failure): throw failure
                }
            }
        }
    }

    private func sendUpcoming(_ now: Duration) throws(MQTTFailure) {
        // Neither the session nor the progress is held here as a whole: a second owner would make them copy themselves.
        guard let number = active?.number, let index = active?.progress.upcoming,
            let outgoing = active?.delivery.messages[index], let handle = session?.handle,
            let limits = session?.limits
        else { return }
        let count = outgoing.recordCount
        active?.progress.sent()
        switch limits.fit(outgoing.message, settings) {
        case .failure(let error):
            refuse(index, count, "the message has \(error.size) bytes; the broker takes \(error.maximum)", .tooLarge)
        case .success(let message):
            do throws(MosquittoHandle.PublishError) {
                let packet = try handle.publish(message, qualityOfService: settings.qualityOfService)
                session?.inFlight.sent(packet, of: .delivery(number, message: index), at: now)
                if count > 0 { sent += 1 }
            } catch {
                switch error {
                case .message(let reason): refuse(index, count, reason, .refused)
                case .connection(let failure): throw failure
                }
            }
        }
    }

    private func refuse(_ message: Int, _ count: Int, _ reason: String, _ recovery: DeliveryError.Recovery) {
        mailbox.update { status in
            status.refused += count == 0 ? 0 : 1
            status.lastRefusal = reason
        }
        conclude(message, count == 0 ? .immaterial : ReasonCode.refused(reason, count, recovery))
    }
}
