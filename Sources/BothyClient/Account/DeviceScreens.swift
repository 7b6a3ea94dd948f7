/// What a device can show that a server's own web app cannot: what it does, keeps and waits for.
public struct DeviceScreens: Sendable {
    public var transfers: any DeviceTransfers
    public var conflicts: any DeviceConflicts
    public var offline: any OfflineFiles
    public var folders: any FoldersInStep
    public var standing: any DeviceStanding
    public var notices: any DeviceNotices
    public var rests: any DeviceRests

    public init(
        transfers: any DeviceTransfers, conflicts: any DeviceConflicts, offline: any OfflineFiles,
        folders: any FoldersInStep, standing: any DeviceStanding,
        notices: any DeviceNotices, rests: any DeviceRests
    ) {
        self.transfers = transfers
        self.conflicts = conflicts
        self.offline = offline
        self.folders = folders
        self.standing = standing
        self.notices = notices
        self.rests = rests
    }
}
