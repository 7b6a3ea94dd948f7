import BothyContract

/// What a browser that stands on this device sees: the account as it is known here, with a connection and without one.
public final class DeviceBrowsing: Sendable {
    private let home: DeviceHome
    private let open: OpenFolders
    private let arriving: ArrivingUploads
    private let content: DeviceContent
    private let seats = ArchiveSeats()
    private let room: AccountRoom
    private let names: DeviceNames
    private let device: DeviceScreens?

    /// - Parameter device: what the device shows of itself.
    public init(_ home: DeviceHome, device: DeviceScreens? = nil) {
        let environment = home.environment
        self.home = home
        self.device = device
        names = DeviceNames(home.account, clock: environment.clock)
        open = OpenFolders(home.replica)
        arriving = ArrivingUploads(content: home.content, disk: environment.disk, clock: environment.clock)
        content = DeviceContent(
            home.replica, remote: home.contentBriefly,
            pictures: FilePictures(remote: home.contentBriefly, kept: home.keptPictures), folders: device?.folders,
            disk: environment.disk)
        room = AccountRoom(home.account, replica: home.replica, clock: environment.clock)
    }

    /// The account that is signed in on this device; nil when nobody is.
    public func account() async throws -> BrowserAccount? {
        guard let signedIn = try await home.account.readAgain() else { return nil }
        let (replica, environment) = (home.replica, home.environment)
        return BrowserAccount(
            user: signedIn.user, deviceId: signedIn.device.id, quota: try await room.quota(),
            hasFeed: await room.hasFeed,
            folders: DeviceFolders(replica, open: open, content: content, clock: environment.clock),
            actions: DeviceActions(replica, files: home.files),
            uploads: DeviceUploads(replica, arriving: arriving, content: home.content, disk: environment.disk),
            trash: DeviceTrash(replica, files: home.files), starred: DeviceStarred(replica),
            posts: home.posts, drafts: home.drafts, scheduledPosts: home.scheduledPosts,
            postTrash: home.postTrash, people: home.people, notifications: home.notifications,
            postSearch: home.postSearch,
            revisions: DeviceRevisions(replica, remote: home.revisionsBriefly, names: names, content: content),
            restores: DeviceRestores(replica, remote: home.restoresBriefly),
            search: DeviceSearch(replica, remote: home.searchBriefly),
            settings: DeviceAccount(replica, account: home.account),
            archives: DeviceArchives(replica, content: content, seats: seats), device: device,
            content: { [content] file, quality in
                .here(try await content.served(file, await environment.affordable(quality)))
            })
    }
}
