import BothyContract
import Foundation
import Logging

/// Everything that a server knows how to do, standing on one data folder; the same for the server, for the commands
/// of its operator, and for tests.
package struct ServerServices: Sendable {
    package let folder: DataFolder
    package let database: any Database
    package let packs: any PackStore
    package let clock: any ServerClock
    package let hasher: PasswordHasher
    package let tokens: AccessTokens
    package let sessions: DeviceSessions
    package let signingKeys: SigningKeys
    package let accounts: Accounts
    package let notifier: Notifier
    package let signer: URLSigner
    package let stamps: StampSource
    /// Block writes between their first byte and their commit; reclaiming waits for them.
    package let writes = BlockWrites()
    package let mutations: Mutations
    package let restores: DriveRestores
    package let links: DownloadLinks
    package let posts: Posts
    package let fanOut: FanOutWork
    package let feedSleep: FeedSleep
    /// The ids of accounts, posts, and what belongs to them.
    let snowflakes: SnowflakeIds
    /// Whether what the feed counts is right.
    let counting: CountingWalk
    package let comments: Comments
    package let drafts: Drafts
    package let markers: FeedMarkers
    /// Whether people see each other here, and post.
    package let hasFeed: Bool
    package let media: MediaVariants
    let mediaFolder: MediaFolder
    package let uploads: UploadSessions
    package let simpleUploads: SimpleUploads
    package let lived: LivedTime
    package let readiness: Readiness
    /// Which old versions are let go; nil keeps all.
    package let thinning: VersionThinning?

    /// The lock goes when the last of these does.
    private let lock: FolderLock
    /// The data folder, where this start has made it.
    private let made: NewFolder?

    /// What tests make cheaper or their own.
    package struct Ground: Sendable {
        package var clock: any ServerClock = SystemClock()
        package var random = SecretBytes.system
        package var scrypt = ScryptCost.standard
        /// Where a new pack begins.
        package var packBytes = PackAppender.maximumPackBytes
        /// What makes pictures small.
        package var programs = MediaPrograms.installed
        /// How far posts are carried; its followers are the settings' own.
        package var reach = FeedReach()

        package init() {}
    }

    /// Takes the folder's lock, opens what lies in it, and brings it up to date. Where that fails, a folder that was
    /// made for it goes again.
    ///
    /// - Throws: ``ServerFault`` in words for a person.
    package static func open(_ config: ServerConfig, ground: Ground = Ground(), logger: Logger) async throws
        -> ServerServices
    {
        let folder = DataFolder(path: config.data)
        let new = NewFolder(folder)
        let lock: FolderLock
        do {
            try folder.prepare(mustExist: config.existing)
            lock = try FolderLock(folder)
        } catch {
            new.removeEmpty()
            throw error
        }
        defer { withExtendedLifetime(lock) {} }
        // Another server that was quicker may have data in it by now.
        let made = new.isNew && !folder.isInUse ? new : nil
        do {
            let services = try await open(config, folder, lock, made, ground, logger)
            services.removeOldCopies(logger)
            let missing = ground.programs.missing
            if !missing.isEmpty {
                logger.notice(
                    "Some small pictures cannot be made: programs for it are missing. All else works.",
                    metadata: ["install": "\(missing.joined(separator: " "))"])
            }
            return services
        } catch {
            Self.takeBack(made, logger)
            throw error
        }
    }

    private static func open(
        _ config: ServerConfig, _ folder: DataFolder, _ lock: FolderLock, _ made: NewFolder?, _ ground: Ground,
        _ logger: Logger
    ) async throws -> ServerServices {
        let database = try await openDatabase(folder, minFree: config.minFree)
        do {
            let packs = try await FilesystemPackStore.open(
                folder: folder.packs, newestKnown: try await database.read { try BlockPlaces($0).newestPack() },
                minimumFreeBytes: config.minFree, logger: logger, maximumPackBytes: ground.packBytes)
            return try await ServerServices(config, folder, lock, made, database, packs, ground, logger)
        } catch let error as PackError {
            // What went wrong first is told.
            try? await database.close()
            throw ServerFault(.folder, "The packs in \(folder.packs) cannot be opened: \(error)")
        } catch {
            // What went wrong first is told.
            try? await database.close()
            throw error
        }
    }

    private init(
        _ config: ServerConfig, _ folder: DataFolder, _ lock: FolderLock, _ made: NewFolder?,
        _ database: any Database, _ packs: any PackStore, _ ground: Ground, _ logger: Logger
    ) async throws {
        self.folder = folder
        self.lock = lock
        self.made = made
        self.database = database
        self.clock = ground.clock
        thinning = config.versions
        self.packs = packs
        let clock = ground.clock
        readiness = Readiness(database: database, packs: packs, clock: clock)
        let lived = try await LivedTime.load(database, clock: clock)
        self.lived = lived
        let livedMilliseconds: @Sendable () -> Int64 = { lived.milliseconds() }
        let notifier = Notifier(clock: clock)
        self.notifier = notifier
        signer = try await URLSigner.load(from: database)
        let ids = IDSource()
        stamps = StampSource(clock: clock, lived: { lived.now() }, ids: ids)
        uploads = UploadSessions(
            database: database, packs: packs, stamps: stamps, notifier: notifier, signer: signer, writes: writes)
        simpleUploads = SimpleUploads(
            database: database, packs: packs, stamps: stamps, notifier: notifier, signer: signer, writes: writes)
        mutations = Mutations(database: database, stamps: stamps, notifier: notifier)
        restores = DriveRestores(database: database, stamps: stamps, notifier: notifier, clock: clock)
        links = DownloadLinks(signer: signer, clock: clock)
        let identity = try await ServerIdentity.load(database, random: ground.random)
        let signingKeys = SigningKeys(random: ground.random)
        let keys = try await database.write(from: .reserve) { try signingKeys.load(lived: lived.now(), in: $0) }
        self.signingKeys = signingKeys
        tokens = await AccessTokens(issuer: identity.issuer, keys: keys, clock: clock)
        sessions = DeviceSessions(database: database, clock: clock)
        hasher = PasswordHasher(cost: ground.scrypt, random: ground.random)
        let (quota, mostItems) = (config.quota, config.maxItems)
        try await database.write(from: .reserve) { try DriveItems.allow(mostItems, in: $0) }
        let snowflakes = try await SnowflakeIds.load(node: identity.node, clock: clock, from: database)
        self.snowflakes = snowflakes
        counting = CountingWalk(database: database)
        mediaFolder = MediaFolder(path: folder.media)
        mediaFolder.endAllWork()
        let minFree = config.minFree
        media = MediaVariants(
            programs: ground.programs, folder: mediaFolder, database: database,
            reader: ContentReader(database: database, packs: packs), clock: clock, logger: logger,
            // A disk that cannot be asked has no room.
            hasRoom: { bytes in ((try? packs.usage().freeBytes) ?? 0) - bytes > minFree })
        var reach = ground.reach
        reach.mostFollowers = config.feedFanOut
        let livedSeconds: @Sendable () -> Int64 = { lived.now() }
        fanOut = FanOutWork(database: database, notifier: notifier, reach: reach)
        feedSleep = FeedSleep(database: database, lived: livedSeconds, reach: reach)
        posts = Posts(
            database: database, mutations: mutations, links: links, media: media, ids: snowflakes, clock: clock,
            telling: TellingGround(clock: clock, lived: livedSeconds, notifier: notifier),
            reading: FeedReading(database: database, lived: livedSeconds, reach: reach))
        comments = Comments(database: database, mutations: mutations, ids: snowflakes)
        drafts = Drafts(database: database, links: links, media: media, clock: clock)
        markers = FeedMarkers(database: database, clock: clock)
        let everybody = config.feed ? config.feedFollow : 0
        hasFeed = config.feed
        accounts = Accounts(
            database: database,
            ground: Accounts.Ground(
                clock: clock, livedMilliseconds: livedMilliseconds, random: ground.random,
                userIds: snowflakes, newDeviceId: { ids.next(at: $0) },
                createDrive: { connection, userId, now in
                    try Drives.create(
                        in: connection, driveId: userId, ownerId: userId, quota: quota, mostItems: mostItems, now: now)
                },
                onSignOut: { await notifier.deviceSignedOut(driveId: $0, deviceId: $1) }),
            hasher: hasher, tokens: tokens, sessions: sessions, registration: config.registration,
            everybodyFollowsUpTo: everybody)
        try await database.write(from: .reserve) { try Household($0).begin(upTo: everybody) }
    }

    /// Closes everything, also when some of it fails.
    ///
    /// - Throws: the first failure.
    package func close() async throws {
        let steps: [() async throws -> Void] = [
            { try await media.stop() }, { try await hasher.close() },
            { try await lived.keep() },
            { try await packs.close() },
            { try await database.close() },
        ]
        var failure: (any Error)?
        for close in steps {
            do {
                try await close()
            } catch {
                failure = failure ?? error
            }
        }
        if let failure { throw failure }
    }

    /// Closes everything after a failure: a folder that was made for this start goes again.
    ///
    /// - Parameter isUsed: whether somebody may have been here; then the folder stays, and that is said.
    /// - Throws: the first failure.
    func abandon(_ logger: Logger, isUsed: Bool) async throws {
        // What cannot be asked may have somebody's account.
        let isEmpty = (try? await accounts.isEmpty()) ?? false
        try await close()
        guard made != nil else { return }
        if isEmpty, !isUsed { return Self.takeBack(made, logger) }
        logger.notice(
            "The data folder was created by this start and is kept: the next start uses it.",
            metadata: ["folder": "\(folder.path)"])
    }

    private static func takeBack(_ made: NewFolder?, _ logger: Logger) {
        do {
            try made?.remove()
        } catch {
            logger.warning(
                "The data folder that was made for this start could not be taken away again. Nothing of use is in it.",
                metadata: ["reason": "\(error)"])
        }
    }

    /// This release has started: the way back is by the newest copies of the database.
    private func removeOldCopies(_ logger: Logger) {
        do {
            try SQLiteDatabase.removeOldCopies(of: folder.database)
        } catch {
            logger.warning(
                "Old copies of the database, from before earlier updates, could not be removed. They only take room.",
                metadata: ["reason": "\(error)"])
        }
    }

    private static func openDatabase(_ folder: DataFolder, minFree: Int64) async throws -> any Database {
        let reserve = DiskReserve(of: minFree) { try LocalDisk().freeBytes(folder.path) }
        do {
            return try await SQLiteDatabase.open(path: folder.database, keeping: reserve)
        } catch DatabaseError.newer(let found, let known) {
            throw ServerFault(
                .folder,
                "The data in \(folder.path) was written by a newer Bothy (its schema is \(found), this program knows \(known)). Start that version again. Nothing was changed."
            )
        } catch DatabaseError.corrupt(let reason) {
            throw ServerFault(
                .folder,
                "The database \(folder.database) is damaged: \(reason). Nothing was changed. Put a backup in its place: “bothy server restore --help”."
            )
        } catch DatabaseError.diskFull {
            throw ServerFault(.folder, "The disk of \(folder.path) is full. Free space, and start again.")
        } catch let error as DatabaseError {
            throw ServerFault(.folder, "The database \(folder.database) cannot be opened: \(error)")
        }
    }
}
