import BothyContract

/// A file or folder that is kept on this device.
public struct KeptItem: Equatable, Sendable, Identifiable {
    public var item: FolderItem
    /// The names of the folders that it lies in, from the root's children down.
    public var above: [String]
    /// Files in it, or itself.
    public var files: Int
    public var filesHere: Int
    /// Bytes of those.
    public var bytes: Int64
    public var bytesHere: Int64

    public init(item: FolderItem, above: [String], files: Int, filesHere: Int, bytes: Int64, bytesHere: Int64) {
        self.item = item
        self.above = above
        self.files = files
        self.filesHere = filesHere
        self.bytes = bytes
        self.bytesHere = bytesHere
    }

    public var id: ItemID { item.id }
    public var isWhole: Bool { filesHere == files }
}

/// What this device keeps for times without a connection, and what takes room on it.
public struct OfflineLook: Equatable, Sendable {
    /// In the order in which they were asked for.
    public var items: [KeptItem]
    public var room: KeptHere
    /// What of it may be kept at the most.
    public var limits: RoomLimits
    /// Bytes that are free on this device's disk.
    public var free: Int64
    /// Some of it is being fetched now.
    public var isFetching: Bool
    /// Why what is missing could not be fetched when it was last tried.
    public var failure: ClientFailure?

    public init(
        items: [KeptItem], room: KeptHere, limits: RoomLimits = RoomLimits(), free: Int64, isFetching: Bool,
        failure: ClientFailure?
    ) {
        self.items = items
        self.room = room
        self.limits = limits
        self.free = free
        self.isFetching = isFetching
        self.failure = failure
    }
}

/// What is at hand without a connection, as screens look at it.
///
/// Every method throws `ClientFailure`.
public protocol OfflineFiles: Sendable {
    func look() async throws -> OfflineLook

    /// The same now, and whenever it has changed, until the listener goes.
    func looks() -> AsyncThrowingStream<OfflineLook, any Error>

    /// Keeps files, and folders with all that is in them, from now on; what is missing is fetched as soon as it can be.
    ///
    /// - Throws: `notFound`.
    func keep(_ ids: [ItemID]) async throws

    /// Keeps them no longer than there is a use for them.
    ///
    /// - Throws: `refused` for what is kept by a folder above it, with which one.
    func letGo(_ ids: [ItemID]) async throws

    /// Keeps at most so much from now on: content at once, what is known of files as soon as the device looks at it.
    ///
    /// - Throws: `refused` for what a device cannot work with.
    func setLimits(_ limits: RoomLimits) async throws

    /// Gives back the room of content that is here without being kept.
    ///
    /// - Returns: bytes.
    func freeRoom() async throws -> Int64
}
