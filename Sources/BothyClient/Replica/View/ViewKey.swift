/// What a view is made of: things, and names in folders. Operations read and write these, as a change of the cache does.
package enum ViewKey: Hashable, Sendable {
    case file(LUID)
    /// Which thing that is not in the trash has this name.
    case name(NameInFolder)
}

/// Cached server state as an overlay reads it.
package protocol OverlayGround {
    func file(_ luid: LUID) throws -> ReplicaFile?
    /// What has this name and is not in the trash.
    func child(at place: NameInFolder) throws -> LUID?
}
