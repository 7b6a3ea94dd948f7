import BothyContract
import Foundation

/// One device: a folder with its database, its secrets and its content, and everything that can be done from it.
///
/// The one place that builds the graph. Several processes may have one home open at a time.
public final class DeviceHome: Sendable {
    /// Absolute.
    public let directory: String
    /// Signing in and out, and the account's devices.
    public let account: AccountRepository
    /// Files and folders, with or without a connection.
    public let files: FilesRepository
    /// Earlier versions of a file.
    public let revisions: RevisionsRepository
    /// The drive, or a part of it, as it was at a moment.
    public let restores: RestoresRepository
    /// Content going up and coming down.
    public let transfers: TransfersRepository
    /// What happens on the account's drive, as it happens.
    public let changes: ChangeFeed
    /// What its owner has set for this device.
    public let settings: DeviceSettings
    /// What holds work back on this device.
    public let conditions: WorkConditions
    /// The account's drive as the engines use it.
    public let drive: BothyDrive
    /// What is known of the drive here, and what waits to be sent.
    public let replica: ReplicaEngine
    /// What is posted by whom this person follows, and what this person posts.
    public let posts: any PostsRepository
    /// Posts that this person is writing.
    public let drafts: any DraftsRepository
    /// The people of the server.
    public let people: any PeopleRepository
    /// What others did that concerns this person.
    public let notifications: any NotificationsRepository
    /// Posts by their words and hashtags.
    public let postSearch: any PostSearching
    /// What waits at the server for its time.
    public let scheduledPosts: any ScheduledPostsRepository
    /// Posts that this person has deleted.
    public let postTrash: any PostTrashRepository
    /// Posts with files of this disk.
    package let postFiles: PostFiles
    /// Posts that are kept here, and what was done with them and waits to be sent.
    package let feed: FeedStore

    let heldPosts: HeldPosts
    let feedAhead: FeedAhead
    private let keptMedia: KeptPictures
    let keptPictures: KeptPictures
    private let network: NetworkDispatcher
    private let clock: any ClientClock
    package let database: ClientDatabase
    /// Of `conditions`, those that turn with nobody saying so.
    package let restRules: [any RestRule]
    let environment: ClientEnvironment
    let secrets: SecretStore
    let content: ContentStore
    /// For a caller that has something else to show: a server that does not answer is not waited for long.
    let contentBriefly: ContentRemoteSource
    let revisionsBriefly: RevisionsRepository
    let restoresBriefly: RestoresRepository
    let searchBriefly: SearchRemoteSource

    /// - Parameter directory: absolute; made, for its owner alone, where it is missing.
    /// - Throws: `ClientFailure`: `homeUnusable`, `homeNewer`.
    public static func open(
        at directory: String, environment: ClientEnvironment = .live
    ) async throws -> DeviceHome {
        let content = ContentStore(folder: "\(directory)/content")
        let own = [
            content.spoolFolder, content.pendingFolder, content.copyingFolder, content.arrivingFolder,
            content.heldFolder, content.trashFolder, content.postsFolder, content.picturesFolder,
        ]
        for folder in [directory, "\(directory)/secrets", content.folder, "\(directory)/locks"] + own {
            try makePrivateFolder(folder)
        }
        keepOutOfFoldersInStep(directory)
        let database = try ClientDatabase(path: "\(directory)/client.sqlite")
        return try await DeviceHome(
            directory: directory, database: database, content: content, environment: environment)
    }

    private init(
        directory: String, database: ClientDatabase, content: ContentStore, environment: ClientEnvironment
    ) async throws {
        self.directory = directory
        self.database = database
        self.environment = environment
        self.content = content
        clock = environment.clock
        let secrets = SecretStore(folder: "\(directory)/secrets", disk: environment.disk)
        self.secrets = secrets
        let traffic = TrafficConditions(bytesPerSecond: nil, clock: environment.clock)
        network = NetworkDispatcher(secrets: secrets, conditions: traffic, environment: environment)
        settings = DeviceSettings(database: database, conditions: traffic, clock: environment.clock)
        restRules = [
            BatteryRule(settings: settings, power: environment.power, clock: environment.clock),
            MeteredRule(settings: settings, network: environment.metering, clock: environment.clock),
        ]
        // A person's word comes first: who hears of it knows what to do.
        conditions = WorkConditions(
            [PauseRule(settings: settings)] + restRules + [RateRule(settings: settings)], clock: environment.clock)
        let store = TransferStore(database: database)
        let filesSource = FilesRemoteSource(network: network)
        let revisionsSource = RevisionsRemoteSource(network: network)
        revisions = RevisionsRepository(remote: revisionsSource)
        restores = RestoresRepository(remote: RestoresRemoteSource(network: network), clock: environment.clock)
        let board = FeedNewsBoard()
        let log = ChangesRemoteSource(network: network)
        changes = ChangeFeed(remote: log, environment: environment, board: board)
        account = AccountRepository(network: network, secrets: secrets, transfers: store, clock: environment.clock)
        transfers = try await TransfersRepository(
            store: store, content: content, locksFolder: "\(directory)/locks",
            uploads: UploadsRemoteSource(network: network),
            downloads: ContentRemoteSource(network: network, files: filesSource, revisions: revisionsSource),
            receiving: traffic.receiving, environment: environment)
        drive = BothyDrive(network: network, transfers: transfers)
        let listed = FilesRemoteSource(network: network, retries: .brief)
        let asked = RevisionsRemoteSource(network: network, retries: .brief)
        revisionsBriefly = RevisionsRepository(remote: asked)
        restoresBriefly = RestoresRepository(
            remote: RestoresRemoteSource(network: network, retries: .brief), clock: environment.clock)
        searchBriefly = SearchRemoteSource(network: network, retries: .brief)
        contentBriefly = ContentRemoteSource(network: network, files: listed, revisions: asked)
        let asksForPosts = PostsRemoteSource(network: network, retries: .brief)
        replica = ReplicaEngine(
            path: "\(directory)/replica.sqlite", lockPath: "\(directory)/locks/journal.lock", content: content,
            drive: drive,
            listing: { folder, page in
                try await listed.page(
                    of: .folder(folder, nil), page: page, limit: PaginationMetadata.maximumLimit)
            },
            // It only names copies: where the sign-in cannot be read, they are named plainly.
            deviceName: { (try? secrets.session())?.device.name ?? "this device" },
            domains: [FeedDomain(perform: asksForPosts.perform)], environment: environment)
        feed = FeedStore(
            replica: { [replica] in try await replica.store() }, settings: database, clock: environment.clock)
        keptMedia = KeptPictures(in: content.postsFolder, of: content)
        keptPictures = KeptPictures(in: content.picturesFolder, of: content)
        let media = PostMedia(network: network, kept: keptMedia)
        let journal = FeedJournal(
            store: feed, account: account, replica: replica, conditions: conditions, environment: environment)
        heldPosts = HeldPosts(store: feed, remote: asksForPosts, media: media)
        let devicePosts = DevicePosts(
            store: feed, journal: journal,
            remote: asksForPosts, media: media, held: heldPosts, account: account,
            conditions: conditions, replica: replica,
            environment: environment)
        posts = devicePosts
        feedAhead = FeedAhead(posts: devicePosts, store: feed)
        postFiles = PostFiles(journal: journal)
        drafts = DeviceDrafts(DraftsRemoteSource(network: network, retries: .brief), store: feed)
        people = DevicePeople(
            PeopleRemoteSource(network: network, retries: .brief), store: feed, journal: journal)
        let asksForWords = FeedWordsRemoteSource(network: network, retries: .brief)
        notifications = DeviceNotifications(
            asksForWords, store: feed, board, openPost: OpenPostNews(remote: log, environment: environment))
        scheduledPosts = DeviceScheduledPosts(
            ScheduledPostsRemoteSource(network: network, retries: .brief), store: feed)
        postSearch = DevicePostSearch(asksForWords, store: feed)
        postTrash = PostTrashRemoteSource(network: network, retries: .brief)
        files = FilesRepository(
            network: network, replica: replica, conditions: conditions, reach: DriveReach(),
            environment: environment)
        // What cannot be swept now is swept at another start.
        try? await replica.sweepCopies()
        try await FeedCarryOver(from: database, to: { [replica] in try await replica.store() }).run()
        traffic.limit(to: try await settings.rateLimit())
        // What cannot be taken in now is in the log.
        network.ownChanges.start { [weak replica] in _ = try? await replica?.takeOwnChanges(.soFar) }
    }

    /// Stops what runs, so that it can be resumed, and lets go of connections and files.
    public func close() async throws {
        await network.ownChanges.stop()
        try await replica.close()
        await transfers.stop()
        try await network.shutDown()
        try await database.close()
    }

    /// 32 bytes of this home's own that what is handed to browsers is sealed by.
    public func formKey() throws -> [UInt8] { try secrets.formKey() }

    /// Signs this device out and removes what it kept of the account, content and all.
    ///
    /// - Parameter givingUp: what waits to be sent, and transfers that have not ended, are given up.
    /// - Returns: false when the server could not be told.
    /// - Throws: `pendingWork` when there is such work and it is not to be given up.
    public func signOut(givingUp: Bool = false) async throws -> Bool {
        let waiting = try await replica.countOfAllOpen()
        guard waiting == 0 || givingUp else { throw ReplicaStore.waits(waiting) }
        return try await account.logout(givingUp: givingUp) {
            try await replica.removeAll(givingUp: givingUp)
            try keptMedia.removeAll()
            try keptPictures.removeAll()
        }
    }

    /// Lets go of what this device holds beyond its bounds.
    ///
    /// - Parameter bound: folders that are kept in sync, by the server's id: nothing of those goes.
    public func keepWithinBounds(bound: Set<String>) async throws {
        let uptime = clock.uptime()
        let lived = try await database.write { db in try LivedTimeSetting.advance(to: uptime, in: db) }
        let limits = try await settings.roomLimits()
        try await replica.keepWithinBounds(bound: bound, lived: lived, limits: limits) { [account] in
            try await account.about().settings.metadataCacheBytes
        }
        try await feed.keepWithinBounds { [account] in try await account.about().settings }
        try keptMedia.keepWithinBounds()
        try keptPictures.keepWithinBounds()
        try await transfers.sweepSpool()
        try await transfers.forgetOld()
    }

    /// `BOTHY_HOME`, or `bothy` in the XDG data folder.
    ///
    /// https://specifications.freedesktop.org/basedir-spec/latest/
    public static func defaultDirectory(environment: [String: String] = ProcessInfo.processInfo.environment) -> String {
        if let home = environment["BOTHY_HOME"], !home.isEmpty { return absolute(home) }
        if let data = environment["XDG_DATA_HOME"], data.hasPrefix("/") { return "\(data)/bothy" }
        return "\(environment["HOME"] ?? NSHomeDirectory())/.local/share/bothy"
    }

    private static func absolute(_ path: String) -> String {
        path.hasPrefix("/") ? path : "\(FileManager.default.currentDirectoryPath)/\(path)"
    }

    /// The name of the file that says what of its folder is not synced.
    package static let ignoreFileName = ".bothyignore"

    /// A home may lie in a folder that another home syncs, and its secrets are this device's alone. Where there is no room
    /// for that, it is tried again the next time.
    private static func keepOutOfFoldersInStep(_ directory: String) {
        let path = "\(directory)/\(ignoreFileName)"
        guard access(path, F_OK) != 0 else { return }
        let rules = Data("# Bothy's own data, with its secrets: it is never synced.\n*\n".utf8)
        _ = FileManager.default.createFile(
            atPath: path, contents: rules, attributes: [.posixPermissions: 0o600])
    }

    private static func makePrivateFolder(_ path: String) throws(ClientFailure) {
        do {
            try FileManager.default.createDirectory(
                atPath: path, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        } catch {
            throw ClientFailure(.homeUnusable, "The home “\(path)” cannot be created: \(error.localizedDescription)")
        }
        guard access(path, W_OK | X_OK) == 0 else {
            throw ClientFailure(.homeUnusable, "The home “\(path)” cannot be written to.")
        }
    }
}
