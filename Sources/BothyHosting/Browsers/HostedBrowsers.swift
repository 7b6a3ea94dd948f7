import BothyClient
import BothyContract
import BothyServer

/// Browsers that come to the server's own web app. Everything that they carry is in their ticket, so any process of the
/// server answers any of them.
package struct HostedBrowsers: BrowserSessions {
    private static let secretName = "browser_key"
    private static let platform = "web"

    private let services: ServerServices
    private let seal: TicketSeal
    private let seats = ArchiveSeats()

    package init(_ services: ServerServices) async throws {
        self.services = services
        seal = TicketSeal(secret: try await ServerSecret.load(Self.secretName, from: services.database))
    }

    package func isFirst() async throws -> Bool {
        try await failing { try await services.accounts.isEmpty() }
    }

    package func signIn(email: String, password: String, by visitor: BrowserVisitor) async throws -> String {
        try await failing {
            let known = visitor.lastTicket.flatMap { seal.ticket($0)?.deviceId }
            let request = LoginRequest(
                email: email, password: password, device: Self.device(visitor), deviceId: known)
            return try await ticket(try await services.accounts.login(request, from: visitor.origin))
        }
    }

    package func register(
        email: String, password: String, code: String?, by visitor: BrowserVisitor
    ) async throws -> String {
        try await failing {
            // The server wants a name that others see: until its owner chooses one, what stands before the “@”.
            let name = String(email.prefix { $0 != "@" }.prefix(40))
            let request = RegisterRequest(
                email: email, password: password, displayName: name.isEmpty ? email : name,
                device: Self.device(visitor), setupCode: code, invite: code)
            return try await ticket(try await services.accounts.register(request, from: visitor.origin))
        }
    }

    package func enter(_ text: String) async throws -> BrowserAccount? {
        let now = services.clock.now()
        guard let ticket = seal.ticket(text), ticket.isGood(at: now) else { return nil }
        let caller = Caller(
            userId: ticket.userId, driveId: ticket.userId, deviceId: ticket.deviceId, session: ticket.session)
        return try await failing {
            do {
                try await services.sessions.check(
                    AccessTokens.Claims(
                        userId: ticket.userId, deviceId: ticket.deviceId, session: ticket.session,
                        issuedAt: ticket.issuedAt, expiresAt: now.seconds))
            } catch let problem as Problem where [.deviceSignedOut, .accountDisabled].contains(problem.code.known) {
                return nil
            }
            let (user, quota, _) = try await services.accounts.about(caller)
            return BrowserAccount(
                user: user, deviceId: ticket.deviceId, quota: quota, hasFeed: services.hasFeed,
                folders: HostedFolders(services, caller), actions: HostedActions(services, caller),
                uploads: HostedUploads(services, caller),
                trash: HostedTrash(services, caller), starred: HostedStarred(services, caller),
                posts: HostedPosts(services, caller), drafts: HostedDrafts(services, caller),
                scheduledPosts: HostedScheduledPosts(services, caller),
                postTrash: HostedPostTrash(services, caller),
                people: HostedPeople(services, caller),
                notifications: HostedNotifications(services, caller), postSearch: HostedPostSearch(services, caller),
                revisions: HostedRevisions(services, caller),
                restores: HostedRestores(services, caller),
                search: HostedSearch(services, caller), settings: HostedSettings(services, caller),
                archives: HostedArchives(services, caller, seats: seats),
                content: { .address(try await HostedContent(services, caller).address(of: $0, $1)) },
                renewedTicket: ticket.isOld(at: now) ? try renewed(ticket, now) : nil)
        }
    }

    package func leave(_ text: String) async throws {
        guard let ticket = seal.ticket(text) else { return }
        try await failing {
            do {
                try await services.accounts.logout(
                    Caller(userId: ticket.userId, driveId: ticket.userId, deviceId: ticket.deviceId))
            } catch let problem as Problem where problem.code == .notFound {
                // It was signed out already, from elsewhere.
            }
        }
    }

    private func renewed(_ ticket: Ticket, _ now: Timestamp) throws -> String {
        var ticket = ticket
        ticket.issuedAt = now.seconds
        return try seal.text(ticket)
    }

    private func ticket(_ session: SessionResponse) async throws -> String {
        let claims = try await services.tokens.verify(session.accessToken)
        return try seal.text(
            Ticket(
                userId: claims.userId, deviceId: claims.deviceId, session: claims.session,
                issuedAt: services.clock.now().seconds))
    }

    private static func device(_ visitor: BrowserVisitor) -> DeviceDescription {
        DeviceDescription(name: visitor.name, platform: platform)
    }
}

extension BrowserVisitor {
    var origin: AccountOrigin { AccountOrigin(network: network, isLocal: isLocal) }
}

/// What the server refuses, as screens are told of it.
func failing<Value>(_ body: () async throws -> Value) async throws(ClientFailure) -> Value {
    do {
        return try await body()
    } catch let failure as ClientFailure {
        throw failure
    } catch {
        throw ClientFailure(Problem(describing: error))
    }
}
