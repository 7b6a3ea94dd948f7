import BothyContract

/// Who uses this device: signing in and out, the account's other devices, its password.
public final class AccountRepository: Sendable {
    let network: NetworkDispatcher
    private let secrets: SecretStore
    private let transfers: TransferStore
    let clock: any ClientClock

    package init(
        network: NetworkDispatcher, secrets: SecretStore, transfers: TransferStore, clock: any ClientClock
    ) {
        self.network = network
        self.secrets = secrets
        self.transfers = transfers
        self.clock = clock
    }

    /// Who is signed in, from this device's own files; nil when nobody is.
    public func signedIn() throws -> SignedInAccount? {
        try secrets.session().map(\.account)
    }

    /// The same, for a process that lives long: from here on it goes by what another one has signed in or out.
    package func readAgain() async throws -> SignedInAccount? {
        try await network.tokens.signedIn()
            .map(\.account)
    }

    /// Makes an account and signs in to it.
    public func register(_ registration: Registration, at server: ServerAddress) async throws -> SignedInAccount {
        try await refuseAnotherAccount(registration.email, server)
        let answer = try await network.fetch(
            SessionResponse.self,
            .json(.POST, "/v1/auth/register", registration.wire, signed: false, retries: .none), to: server)
        return try await keep(answer, of: server)
    }

    /// - Parameter deviceName: what its owner calls this device.
    public func login(
        email: String, password: String, deviceName: String, at server: ServerAddress
    ) async throws -> SignedInAccount {
        try await refuseAnotherAccount(email, server)
        let known = try secrets.readableSession()
        let request = LoginRequest(
            email: email, password: password,
            device: DeviceDescription(name: deviceName, platform: ClientEnvironment.platform),
            deviceId: known?.server == server ? known?.device.id : nil)
        let answer = try await network.fetch(
            SessionResponse.self, .json(.POST, "/v1/auth/login", request, signed: false, retries: .none), to: server)
        return try await keep(answer, of: server)
    }

    /// Signs this device out and removes what it kept of the account.
    ///
    /// - Parameters:
    ///   - givingUp: transfers that have not ended are given up.
    ///   - clearing: removes what else is here of the account, before this device forgets whose it is: where that breaks off, the
    ///     person is signed in still, and signs out once more.
    /// - Returns: false when the server could not be told: the device then stays in its list until signed out there.
    /// - Throws: `pendingWork` when there are such transfers and they are not to be given up.
    public func logout(givingUp: Bool = false, clearing: () async throws -> Void = {}) async throws -> Bool {
        guard try secrets.session() != nil else {
            throw ClientFailure(.signInNeeded, "Nobody is signed in on this device.", remedy: "There is nothing to do.")
        }
        let pending = try await transfers.countOfOpen()
        guard pending == 0 || givingUp else {
            throw ClientFailure(.pendingWork, "\(pending) transfer\(pending == 1 ? " is" : "s are") not finished yet.")
        }
        // First, since it refuses where something waits after all.
        try await clearing()
        var told = true
        do {
            _ = try await network.send(WireRequest(.POST, "/v1/auth/logout"))
        } catch let failure as ClientFailure {
            told = failure.code == .signInNeeded
        }
        try await transfers.removeAll()
        try await network.tokens.forget()
        return told
    }

    /// The account's devices, this one marked.
    ///
    /// - Parameter briefly: a server that does not answer is not waited for long.
    public func devices(briefly: Bool = false) async throws -> [Device] {
        var devices = [Device]()
        var page: String?
        repeat {
            let answer = try await network.fetch(
                GetDevicesResponse.self,
                WireRequest(
                    .GET, WireRequest.path(["v1", "auth", "devices"], [QueryNames.page: page]),
                    retries: briefly ? .brief : .interactive))
            devices += answer.devices
            page = answer.pagination.next
        } while page != nil && devices.count < Self.mostDevices
        return devices
    }

    /// More devices than any account has; a server that pages for ever is not followed.
    private static let mostDevices = 100_000

    /// Ends a device's session; this device's own, too.
    ///
    /// - Throws: `notFound` for an id that is no device of the account.
    public func signOutDevice(_ id: String) async throws {
        _ = try await network.send(WireRequest(.DELETE, WireRequest.path(["v1", "auth", "devices", id])))
    }

    /// Changes the password; every other session ends.
    public func changePassword(current: String, new: String) async throws {
        let request = ChangePasswordRequest(currentPassword: current, newPassword: new)
        let response = try await network.send(.json(.POST, "/v1/auth/password", request, retries: .none))
        // A server may answer with a new session, this device's old one having ended with the others.
        if let answer = try? response.decoded(as: SessionResponse.self) {
            let server = try await network.tokens.current().server
            _ = try await keep(answer, of: server)
        }
    }

    /// The account, its quota, the server's limits and settings, asked of the server.
    public func about() async throws -> AboutResponse {
        try await network.fetch(AboutResponse.self, WireRequest(.GET, "/v1/about"))
    }

    /// What takes room, counted by the server; one that does not answer is not waited for long.
    public func storage() async throws -> StorageResponse {
        try await network.fetch(StorageResponse.self, WireRequest(.GET, "/v1/storage", retries: .brief))
    }

    private func keep(_ answer: SessionResponse, of server: ServerAddress) async throws -> SignedInAccount {
        try await network.tokens.replace(
            with: StoredSession(
                server: server, user: answer.user, device: answer.device, accessToken: answer.accessToken,
                refreshToken: answer.refreshToken, obtainedAt: clock.now(), expiresIn: answer.expiresIn))
        return SignedInAccount(server: server, user: answer.user, device: answer.device)
    }

    /// One home is one device of one account; what waits for one account must not go to another.
    private func refuseAnotherAccount(_ email: String, _ server: ServerAddress) async throws {
        guard let known = try secrets.readableSession() else { return }
        let same = known.server == server && known.user.email.lowercased() == email.lowercased()
        guard same else {
            throw ClientFailure(
                .accountRefused, "This device is signed in as \(known.user.email) at \(known.server).",
                remedy:
                    "Use another home for the other account (BOTHY_HOME=…), or sign out this account with “bothy logout”, which refuses while changes are unsent."
            )
        }
    }
}
