/// What the account's devices are called. The server knows; a screen does not wait for it.
package actor DeviceNames {
    private let account: AccountRepository
    private let clock: any ClientClock
    private var names = [String: String]()
    private var asking: Task<Void, Never>?
    private var askedAt: Double?

    /// Seconds that a caller waits for a name that is not known here.
    private static let patience = 0.3
    /// Seconds between two times that the server is asked.
    private static let pause = 60.0

    package init(_ account: AccountRepository, clock: any ClientClock) {
        self.account = account
        self.clock = clock
    }

    /// - Returns: nil for one that is not known, or not known yet.
    package func name(of id: String?) async -> String? {
        guard let id else { return nil }
        // A name is only shown: where the sign-in cannot be read, the server is asked.
        if let mine = try? account.signedIn()?.device, mine.id == id { return mine.name }
        if let name = names[id] { return name }
        begin()
        await wait()
        return names[id]
    }

    private func begin() {
        let now = clock.uptime()
        if asking != nil { return }
        if let askedAt, now - askedAt < Self.pause { return }
        askedAt = now
        asking = Task {
            // A name is only shown: it is asked for again after the pause.
            let devices = (try? await account.devices()) ?? []
            for device in devices { names[device.id] = device.name }
            asking = nil
        }
    }

    private func wait() async {
        guard let asking else { return }
        let (first, told) = AsyncStream<Void>.makeStream()
        let answer = Task {
            await asking.value
            told.finish()
        }
        let alarm = Task { [clock] in
            try? await clock.sleep(seconds: Self.patience)
            told.finish()
        }
        for await _ in first {}
        alarm.cancel()
        answer.cancel()
    }
}
