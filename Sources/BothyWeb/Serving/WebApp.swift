import BothyClient
import BothyContract
import BothyPresentation
import Foundation
import HTTPTypes
import Hummingbird

/// The web app: what it answers where. It keeps nothing between two requests.
package struct WebApp: Sendable {
    /// Days that a browser keeps its cookies without coming back; the ticket in them may end earlier.
    static let ticketDays = 90
    /// Days after its last sign-in for which a browser is known again.
    static let knownDays = 365

    package struct Route: Sendable {
        package var method: HTTPRequest.Method
        /// As the router spells it: `/folder/{id}`.
        package var path: String
        package var answer: @Sendable (Request, WebCaller) async throws -> Response
    }

    package let routes: [Route]
    /// The page for an address that leads nowhere.
    package let missing: @Sendable (Request, WebCaller) async throws -> Response

    /// How browsers come in.
    package enum Entrance: Sendable {
        /// By an account of the server's.
        case account(any BrowserSessions)
        /// By a token that only the owner of this device gets.
        case device(DeviceEntrance)

        var tickets: any BrowserTickets {
            switch self {
            case .account(let sessions): sessions
            case .device(let entrance): entrance
            }
        }
    }

    /// - Parameters:
    ///   - secret: 32 bytes, the same in every process that serves the app: forms of one are sent to another.
    /// - Throws: what a view cannot be read for.
    package init(
        entrance: Entrance, settings: WebSettings, secret: [UInt8],
        now: @escaping @Sendable () -> Timestamp
    ) throws {
        let assets = Assets()
        let writer = PageWriter(
            views: try Views(), assets: assets, tokens: FormTokens(secret: secret),
            isInstallable: settings.loopbackPort == nil)
        let install = writer.isInstallable ? InstallRoutes(assets: assets, words: .english).routes : []
        let door = Door(tickets: entrance.tickets, settings: settings, writer: writer, now: now)
        let (files, standing) = (FileListRoutes(writer: writer), StandingRoutes(writer: writer))
        let (transfers, conflicts) = (TransfersRoutes(writer: writer), ConflictsRoutes(writer: writer))
        let (offline, synced) = (OfflineRoutes(writer: writer), SyncRoutes(writer: writer))
        let notifications = NotificationRoutes(writer: writer)
        let streams = [
            files.streams, standing.streams, transfers.streams, conflicts.streams, offline.streams, synced.streams,
            notifications.streams,
        ]
        let screens: [[Screen]] = [
            Self.entry(entrance, writer),
            files.screens,
            FileActRoutes(writer: writer).screens,
            ArchiveRoutes(writer: writer).screens,
            PreviewRoutes(writer: writer).screens,
            UploadRoutes(writer: writer).screens,
            RevisionRoutes(writer: writer).screens,
            RestoreRoutes(writer: writer).screens,
            SearchRoutes(writer: writer).screens,
            SettingsRoutes(writer: writer).screens,
            StorageRoutes(writer: writer).screens,
            StarredRoutes(writer: writer).screens,
            TrashRoutes(writer: writer).screens,
            NewsFeedRoutes(writer: writer).screens,
            notifications.screens,
            FoundPostsRoutes(writer: writer).screens,
            PostDetailRoutes(writer: writer).screens,
            CreatePostRoutes(writer: writer).screens,
            DraftsRoutes(writer: writer).screens, ScheduledPostsRoutes(writer: writer).screens,
            PostTrashRoutes(writer: writer).screens,
            EditPostRoutes(writer: writer).screens, PostHistoryRoutes(writer: writer).screens,
            PeopleRoutes(writer: writer).screens, ProfileRoutes(writer: writer).screens,
            ReportPostRoutes(writer: writer).screens,
            standing.screens, transfers.screens, conflicts.screens, offline.screens, synced.screens,
            StreamRoutes(streams: Array(streams.joined()), writer: writer).screens,
        ]
        let nothing = Screen.page("", for: .anyone) { visit in
            let words = visit.words
            return writer.message(words[.notFoundTitle], words[.notFoundLead], visit: visit, status: .notFound)
        }
        missing = { try await door.answer(nothing, $0, $1) }
        routes =
            screens.joined().map { screen in
                Route(method: screen.method, path: screen.path) { try await door.answer(screen, $0, $1) }
            }
            + Assets.Name.allCases.map { name in
                Route(method: .get, path: assets.path(name)) { request, _ in assets.response(name, request) }
            }
            + install
    }

    /// A person looks at what comes, and not a program.
    package static func isPersons(_ request: Request) -> Bool {
        request.method == .get && request.headers[.accept]?.contains("text/html") == true
    }

    private static func entry(_ entrance: Entrance, _ writer: PageWriter) -> [Screen] {
        switch entrance {
        case .account(let sessions): SignInRoutes(sessions: sessions, writer: writer).screens
        case .device(let entrance): DeviceEntranceRoutes(entrance: entrance, writer: writer).screens
        }
    }
}

/// One thing that the app answers.
struct Screen: Sendable {
    enum Access: Sendable {
        case anyone
        case signedIn
    }

    /// What its requests carry.
    enum Body: Sendable {
        case nothing
        /// Read, and its token checked, before the screen sees it.
        case form
        /// A form that comes from elsewhere, and proves itself by what it carries: the screen looks at that.
        case key
        /// Bytes that the screen reads itself; the token is in a header.
        case bytes
    }

    var method: HTTPRequest.Method
    var path: String
    var access: Access
    var body: Body
    /// What a form sent, where it is one: its token was checked.
    var answer: @Sendable (Visit, FormBody?) async throws -> Response

    /// Of people and their posts, which some servers do not have.
    var isOfFeed: Bool {
        let first = path.split(separator: "/").first.map(String.init) ?? ""
        return ["feed", "posts", "people", "profile", "notifications"].contains(first)
    }

    static func page(
        _ path: String, for access: Access = .signedIn, _ answer: @escaping @Sendable (Visit) async throws -> Response
    ) -> Screen {
        Screen(method: .get, path: path, access: access, body: .nothing) { visit, _ in try await answer(visit) }
    }

    static func form(
        _ path: String, for access: Access = .signedIn,
        _ answer: @escaping @Sendable (Visit, FormBody) async throws -> Response
    ) -> Screen {
        Screen(method: .post, path: path, access: access, body: .form) { visit, form in
            guard let form else { preconditionFailure("the door reads every form") }
            return try await answer(visit, form)
        }
    }

    static func key(
        _ path: String, _ answer: @escaping @Sendable (Visit, FormBody) async throws -> Response
    ) -> Screen {
        var screen = form(path, for: .anyone, answer)
        screen.body = .key
        return screen
    }

    static func bytes(
        _ method: HTTPRequest.Method, _ path: String, _ answer: @escaping @Sendable (Visit) async throws -> Response
    ) -> Screen {
        Screen(method: method, path: path, access: .signedIn, body: .bytes) { visit, _ in try await answer(visit) }
    }
}
