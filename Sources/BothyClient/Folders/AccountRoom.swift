import BothyContract

/// How much room the account has, as the server said last: nobody waits for it.
actor AccountRoom {
    /// Seconds after which the server is asked again.
    private static let lifetime = 60.0

    private let account: AccountRepository
    private let clock: any ClientClock
    private var known = AboutResponse.Quota(used: 0, limit: nil)
    private var askedAt: Double?

    init(_ account: AccountRepository, clock: any ClientClock) {
        self.account = account
        self.clock = clock
    }

    func quota() -> AboutResponse.Quota {
        let now = clock.uptime()
        if askedAt.map({ now - $0 >= Self.lifetime }) ?? true {
            askedAt = now
            // Without a connection what was known stays.
            Task { if let quota = try? await account.about().quota { note(quota) } }
        }
        return known
    }

    private func note(_ quota: AboutResponse.Quota) { known = quota }
}
