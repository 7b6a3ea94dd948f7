import BothyClient
import BothyContract
import BothyPresentation
import RealServing

/// A server, and two devices there: a reader's, and one of an author whom the reader follows.
@MainActor struct FeedWalk {
    let server: RealServer
    let reader: DeviceHome
    let author: DeviceHome

    private static let email = "reader@example.org"

    init() async throws {
        server = try await RealServer()
        reader = try await server.device("reader", register: true, email: Self.email)
        author = try await server.device("author", register: true, email: "author@example.org")
        _ = try await reader.people.setFollowing(true, Self.you(author))
    }

    /// A device of the reader's that has nothing yet.
    func signIn(_ name: String) async throws -> DeviceHome {
        try await server.device(name, register: false, email: Self.email)
    }

    func publish(_ html: String...) async throws {
        for html in html {
            let isThere = try await author.posts.publish(NewPostRequest(requestId: nil, content: html))
            guard isThere else { throw ClientFailure(.offline, "The server does not have “\(html)”.") }
        }
    }

    /// The feed's screen on a device.
    func feed(on home: DeviceHome) throws -> NewsFeedStateHolder {
        NewsFeedStateHolder(home.posts, you: try Self.you(home), words: .english, clock: Self.clock)
    }

    /// The page of one post on a device.
    func detail(on home: DeviceHome) throws -> PostDetailStateHolder {
        PostDetailStateHolder(home.posts, you: try Self.you(home), words: .english, clock: Self.clock)
    }

    func end(_ others: DeviceHome...) async throws {
        for home in [reader, author] + others { try await home.close() }
        await server.stop()
    }

    /// Lets others go on until it holds; one that never does is ended by the time limit of its test.
    static func until(_ holds: () async throws -> Bool) async throws {
        while try await !holds() { try await Task.sleep(for: .milliseconds(2)) }
    }

    private static let clock = PersonsClock(now: Timestamp(seconds: 86_399), zone: .gmt)

    private static func you(_ home: DeviceHome) throws -> Int64 {
        guard let you = try home.account.signedIn() else { throw ClientFailure(.signInNeeded, "Nobody is signed in.") }
        return you.user.id
    }
}
