import TrackEngine

extension Session {
    /// Fills the window: first with the client's own messages, then with those of the delivery.
    func send() throws(MQTTFailure) {
        let now = KernelClock.sinceBoot
        // One segment for many messages: the broker is woken once for all of them.
        let isCorked = upcoming != nil
        if isCorked { handle.cork(true) }
        defer { if isCorked { handle.cork(false) } }
        while inFlight.hasRoom {
            if let message = control.take() {
                try send(message, now)
            } else if let upcoming {
                try send(upcoming, now)
            } else {
                break
            }
            // With quality of service 0 a written message is settled already, and no received packet will report it.
            if state.settings.configuration.qualityOfService == .atMostOnce { takeAcknowledgements() }
        }
    }

    /// The message of the current delivery that may be sent now, as its index.
    private var upcoming: Int? {
        switch listening {
        case .ready: state.deliveries.upcoming(isListening: true)
        case .asked, .refused, .paused: nil
        }
    }

    /// Sends one of the client's own messages.
    private func send(_ message: MQTTMessage, _ now: Duration) throws(MQTTFailure) {
        switch limits.fit(message, state.settings) {
        case .failure(let error):
            noteRefusal(of: message.topic, "\(error.size) bytes, at most \(error.maximum) fit")
        case .success(let message):
            do throws(MosquittoConnection.MessageError) {
                let packet = try handle.publish(
                    message, qualityOfService: state.settings.configuration.qualityOfService)
                inFlight.sent(packet, of: .control(message.topic), at: now)
                noteSent(message, packet, now)
            } catch {
                switch error {
                case .message(let reason): noteRefusal(of: message.topic, reason)
                case .connection(let failure): throw failure
                }
            }
        }
    }

    /// Sends a message of the current delivery.
    private func send(_ index: Int, _ now: Duration) throws(MQTTFailure) {
        guard let outgoing = state.deliveries.owner?.messages[index] else { return }
        let count = outgoing.recordCount
        let number = state.deliveries.sent()
        switch limits.fit(outgoing.message, state.settings) {
        case .failure(let error):
            refuse(index, count, "the message has \(error.size) bytes; the broker takes \(error.maximum)", .smaller)
        case .success(let message):
            do throws(MosquittoConnection.MessageError) {
                let packet = try handle.publish(
                    message, qualityOfService: state.settings.configuration.qualityOfService)
                inFlight.sent(packet, of: .delivery(number, message: index), at: now)
                noteSent(message, packet, now)
                if count > 0 { state.noteSent() }
            } catch {
                switch error {
                case .message(let reason): refuse(index, count, reason, .rejected)
                case .connection(let failure): throw failure
                }
            }
        }
    }

    private func noteSent(_ message: MQTTMessage, _ packet: Int32, _ now: Duration) {
        guard message.isRetained, firstRetained == nil, !state.restrictions.hasRetained else { return }
        firstRetained = (packet, now)
    }

    private func refuse(_ message: Int, _ count: Int, _ reason: String, _ recovery: DeliveryError.Recovery) {
        state.queue.update { status in
            status.refused += count == 0 ? 0 : 1
            status.lastRefusal = reason
        }
        let outcome = count == 0 ? .immaterial : ReasonCode.refused(reason, count, recovery)
        state.tell(state.deliveries.conclude(message, outcome, at: KernelClock.sinceBoot))
    }
}

extension BrokerLimits {
    /// The error for a message that is larger than the broker accepts.
    struct SizeError: Error {
        let size: Int
        let maximum: Int
    }

    /// The message in the form that this broker accepts, or the reason why it accepts none.
    func fit(_ message: MQTTMessage, _ settings: ConnectionSettings) -> Result<MQTTMessage, SizeError> {
        if let maximumPacketSize {
            let size = message.packetSize(
                version: settings.configuration.protocolVersion,
                qualityOfService: settings.configuration.qualityOfService.rawValue)
            if size > maximumPacketSize { return .failure(SizeError(size: size, maximum: maximumPacketSize)) }
        }
        guard message.isRetained, !canRetain else { return .success(message) }
        var message = message
        message.isRetained = false
        return .success(message)
    }
}
