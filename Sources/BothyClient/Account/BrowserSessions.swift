import BothyContract

/// A browser that asks, as far as the server can tell.
public struct BrowserVisitor: Hashable, Sendable {
    /// Its network, as text: what sign-ins are slowed by.
    public var network: String
    /// From this machine itself, and through no proxy.
    public var isLocal: Bool
    /// What its owner will know it by in the list of devices: «Firefox on Linux».
    public var name: String
    /// The ticket that this browser was given when it signed in last; guesses at the account from elsewhere do not slow it.
    public var lastTicket: String?

    public init(network: String, isLocal: Bool, name: String, lastTicket: String? = nil) {
        self.network = network
        self.isLocal = isLocal
        self.name = name
        self.lastTicket = lastTicket
    }
}

/// A person who has come in by a browser, and what is theirs.
public struct BrowserAccount: Sendable {
    public var user: User
    /// This browser's, among the account's devices.
    public var deviceId: String
    public var quota: AboutResponse.Quota
    /// Whether people see each other on the server, and post.
    public var hasFeed: Bool
    public var folders: any FolderRepository
    public var actions: any FileActions
    public var uploads: any BrowserUploads
    public var trash: any TrashRepository
    public var starred: any StarredRepository
    public var posts: any PostsRepository
    public var drafts: any DraftsRepository
    public var scheduledPosts: any ScheduledPostsRepository
    public var postTrash: any PostTrashRepository
    public var people: any PeopleRepository
    public var notifications: any NotificationsRepository
    public var postSearch: any PostSearching
    public var revisions: any FileRevisions
    public var restores: any MomentRestoring
    public var search: any FileSearching
    public var settings: any AccountSettings
    public var archives: any FileArchiving
    /// What a device shows of itself; nil in a server's own web app, which is no device.
    public var device: DeviceScreens?
    /// A file's bytes; or a small picture of it, where one can be had.
    public var content: @Sendable (ItemID, MediaQuality?) async throws -> ContentPlace
    /// A ticket to carry from now on, where the old one has become old.
    public var renewedTicket: String?

    public init(
        user: User, deviceId: String, quota: AboutResponse.Quota, hasFeed: Bool, folders: any FolderRepository,
        actions: any FileActions, uploads: any BrowserUploads, trash: any TrashRepository,
        starred: any StarredRepository, posts: any PostsRepository, drafts: any DraftsRepository,
        scheduledPosts: any ScheduledPostsRepository, postTrash: any PostTrashRepository,
        people: any PeopleRepository,
        notifications: any NotificationsRepository, postSearch: any PostSearching,
        revisions: any FileRevisions, restores: any MomentRestoring,
        search: any FileSearching, settings: any AccountSettings,
        archives: any FileArchiving, device: DeviceScreens? = nil,
        content: @escaping @Sendable (ItemID, MediaQuality?) async throws -> ContentPlace, renewedTicket: String? = nil
    ) {
        self.user = user
        self.deviceId = deviceId
        self.quota = quota
        self.hasFeed = hasFeed
        self.folders = folders
        self.actions = actions
        self.uploads = uploads
        self.trash = trash
        self.starred = starred
        self.posts = posts
        self.drafts = drafts
        self.scheduledPosts = scheduledPosts
        self.postTrash = postTrash
        self.people = people
        self.notifications = notifications
        self.postSearch = postSearch
        self.revisions = revisions
        self.restores = restores
        self.search = search
        self.settings = settings
        self.archives = archives
        self.device = device
        self.content = content
        self.renewedTicket = renewedTicket
    }
}

/// Browsers that have come in. What they carry between two requests is a ticket.
///
/// Every method throws `ClientFailure`.
public protocol BrowserTickets: Sendable {
    /// - Returns: nil for a ticket that is no good any more.
    func enter(_ ticket: String) async throws -> BrowserAccount?

    /// Ends what the ticket stands for, at once, in every tab.
    func leave(_ ticket: String) async throws
}

/// How browsers come in to a server's web app: by an account. The keeper of tickets need keep nothing else.
///
/// Every method throws `ClientFailure`.
public protocol BrowserSessions: BrowserTickets {
    /// Nobody has an account here yet.
    func isFirst() async throws -> Bool

    /// - Returns: a ticket.
    /// - Throws: `wrongCredentials`, `accountRefused`, `serverBusy`.
    func signIn(email: String, password: String, by visitor: BrowserVisitor) async throws -> String

    /// Makes an account, and signs in to it.
    ///
    /// - Parameter code: a setup code or an invite, where one is needed.
    /// - Returns: a ticket.
    func register(
        email: String, password: String, code: String?, by visitor: BrowserVisitor
    ) async throws -> String
}
