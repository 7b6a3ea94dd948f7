import BothyContract

/// Something that was done, or tried, to sync a folder.
public struct FolderDeed: Equatable, Sendable, Identifiable {
    public var id: Int64
    public var at: Timestamp
    public var act: FolderAct
    public var reason: DeedReason
    /// Why it was not done.
    public var failure: ClientFailure?

    public init(id: Int64, at: Timestamp, act: FolderAct, reason: DeedReason, failure: ClientFailure? = nil) {
        self.id = id
        self.at = at
        self.act = act
        self.reason = reason
        self.failure = failure
    }
}
