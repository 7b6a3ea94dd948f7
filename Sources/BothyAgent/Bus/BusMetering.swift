import BothyClient

/// What NetworkManager tells of the network that this machine is in, by the system's D-Bus. Where there is no bus, or nobody on
/// it who knows, nothing is told, and nobody is started to tell it.
///
/// https://networkmanager.dev/docs/api/latest/gdbus-org.freedesktop.NetworkManager.html, `Metered`
package actor BusMetering: NetworkMetering {
    enum Answer: Equatable, Sendable {
        case told(isMetered: Bool)
        /// Nobody is there who could tell.
        case nobody
        /// The service that could tell did not, or not in time.
        case silence
    }

    private static let name = "org.freedesktop.NetworkManager"
    private static let path = "/org/freedesktop/NetworkManager"
    /// Of `NMMetered`: said by the person who set up the network, and guessed from what it is, such as a phone's.
    private static let (yes, guessedYes): (UInt32, UInt32) = (1, 3)
    /// How long what was told holds, since everything that works asks; and where nobody told.
    private static let (freshness, silence): (Duration, Duration) = (.seconds(2), .seconds(30))
    /// How long what was told last stands for what is not told in time.
    private static let memory = Duration.seconds(60)

    private struct Told {
        var isMetered: Bool?
        var at: ContinuousClock.Instant
    }

    private let ask: @Sendable () async -> Answer
    private let now: @Sendable () -> ContinuousClock.Instant
    private var told: Told?
    /// When somebody last told, and what.
    private var known: Told?
    /// One question is enough for all who ask meanwhile.
    private var asking: Task<Answer, Never>?

    /// - Parameter environment: of this process, which says where the bus is.
    package init(environment: [String: String]) {
        // A way to the bus blocks its thread.
        let queue = DiskQueue("metering")
        self.init(now: { .now }) {
            // The bus may begin after this process.
            guard let address = MessageBus.systemAddress(environment) else { return .nobody }
            // A caller that was cancelled meanwhile was not answered.
            return (try? await queue.run { Self.answer(of: address) }) ?? .silence
        }
    }

    init(now: @escaping @Sendable () -> ContinuousClock.Instant, ask: @escaping @Sendable () async -> Answer) {
        self.now = now
        self.ask = ask
    }

    package func isMetered() async -> Bool? {
        if let told {
            let age = told.at.duration(to: now())
            if age < (told.isMetered == nil ? Self.silence : Self.freshness) { return told.isMetered }
        }
        let question = asking ?? Task { await ask() }
        asking = question
        let answer = await question.value
        if asking == question {
            asking = nil
            take(answer)
        }
        return told?.isMetered
    }

    private func take(_ answer: Answer) {
        let now = now()
        switch answer {
        case .told(let isMetered):
            told = Told(isMetered: isMetered, at: now)
            known = told
        case .nobody:
            told = Told(isMetered: nil, at: now)
            known = nil
        case .silence:
            // One answer that is late ends no rest.
            let isRemembered = known.map { $0.at.duration(to: now) < Self.memory } ?? false
            told = Told(isMetered: isRemembered ? known?.isMetered : nil, at: now)
        }
    }

    // MARK: - On the bus

    private static func answer(of address: String) -> Answer {
        do {
            let bus = try MessageBus(address: address)
            defer { bus.end() }
            return isMetered(try bus.call(question)).map { .told(isMetered: $0) } ?? .silence
        } catch let unreachable as MessageBus.Unreachable where unreachable.isNobodyThere {
            return .nobody
        } catch {
            return .silence
        }
    }

    static var question: BusMessage {
        var message = BusMessage("Get", of: "org.freedesktop.DBus.Properties", at: path, for: name)
        message.flags = BusMessage.startsNobody
        message.signature = "ss"
        var body = BusWriter()
        body.text(name)
        body.text("Metered")
        message.body = body.bytes
        return message
    }

    /// - Returns: nil for what is no number.
    static func isMetered(_ answer: BusMessage) -> Bool? {
        guard answer.signature == "v" else { return nil }
        var body = BusReader(answer.body)
        guard body.signature() == "u", let word = body.number() else { return nil }
        return word == yes || word == guessedYes
    }
}
