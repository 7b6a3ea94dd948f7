import BothyContract

/// A folder of this computer that a person wants to sync with one on the server.
public struct FolderToTie: Equatable, Sendable {
    /// As it was typed: absolute, or below `~`. It is made where it is missing.
    public var localPath: String
    /// As it was typed: `/docs`. It is made where it is missing.
    public var remotePath: String
    /// What becomes of files here that are deleted elsewhere.
    public var keepsWhatIsDeletedElsewhere: Bool
    public var conflicts: ConflictResolution

    public init(
        localPath: String = "", remotePath: String = "", keepsWhatIsDeletedElsewhere: Bool = false,
        conflicts: ConflictResolution = .fork
    ) {
        self.localPath = localPath
        self.remotePath = remotePath
        self.keepsWhatIsDeletedElsewhere = keepsWhatIsDeletedElsewhere
        self.conflicts = conflicts
    }
}

/// What linking a folder would do. Nothing was done, here or there.
public struct TyingLook: Equatable, Sendable {
    /// Names this very plan. Linking by it is refused once something else would be done.
    public var plan: String
    /// Absolute, with links resolved.
    public var localPath: String
    public var remotePath: String
    /// Files and folders that would go to the server.
    public var goingUp: Int
    /// Files and folders that would come here.
    public var comingDown: Int
    /// Files that are not the same on both sides.
    public var inConflict: Int
    /// The first of what would be done.
    public var deeds: [FolderAct]
    public var hasMore: Bool

    public init(
        plan: String, localPath: String, remotePath: String, goingUp: Int = 0, comingDown: Int = 0,
        inConflict: Int = 0, deeds: [FolderAct] = [], hasMore: Bool = false
    ) {
        self.plan = plan
        self.localPath = localPath
        self.remotePath = remotePath
        self.goingUp = goingUp
        self.comingDown = comingDown
        self.inConflict = inConflict
        self.deeds = deeds
        self.hasMore = hasMore
    }
}
