import BothyContract

/// A device that is signed in, as its owner sees it.
public struct SignedInDevice: Equatable, Sendable, Identifiable {
    public var id: String
    public var name: String
    public var platform: String
    public var lastSeenAt: Timestamp
    /// The one that asks.
    public var isThis: Bool

    public init(id: String, name: String, platform: String, lastSeenAt: Timestamp, isThis: Bool) {
        self.id = id
        self.name = name
        self.platform = platform
        self.lastSeenAt = lastSeenAt
        self.isThis = isThis
    }
}

/// What takes room in an account.
public struct StorageUse: Equatable, Sendable {
    /// Some of it.
    public struct Part: Equatable, Sendable {
        public var count: Int
        /// What it would be with nothing kept once only.
        public var bytes: Int64

        public init(count: Int = 0, bytes: Int64 = 0) {
            self.count = count
            self.bytes = bytes
        }

        public mutating func add(_ size: Int64) {
            count += 1
            bytes += size
        }
    }

    /// What the files hold now, by their media type.
    public var files = [String: Part]()
    public var trash = Part()
    /// What files were before; nil where only the server knows, and it cannot be asked now.
    public var versions: Part? = Part()
    /// What posts show whose files are deleted; nil as there.
    public var posts: Part? = Part()
    /// The largest first.
    public var largest = [FoundItem]()

    public init() {}
}

/// An account's devices, its password, and what takes its room.
///
/// Every method throws `ClientFailure`.
public protocol AccountSettings: Sendable {
    /// The one that asks first, then those that were seen last.
    func devices() async throws -> [SignedInDevice]

    /// Ends a device's sign-in, its streams and its tokens, at once.
    ///
    /// - Throws: `notFound` for one that is not signed in.
    func signOut(_ device: String) async throws

    /// Signs out every device but the one that asks.
    ///
    /// - Returns: how many there were.
    func signOutOthers() async throws -> Int

    /// Signs out every other device, too.
    ///
    /// - Throws: `wrongCredentials`, `refused` for a password that is too weak, `serverBusy` after too many attempts.
    func changePassword(from old: String, to new: String, by visitor: BrowserVisitor) async throws

    /// - Parameter largest: how many of the largest files are told of.
    func storage(largest: Int) async throws -> StorageUse
}
