/// A person with an account.
public struct User: Codable, Equatable, Sendable, Identifiable {
    /// A Snowflake id.
    public var id: Int64
    public var email: String
    /// How others see the person.
    public var displayName: String

    public init(id: Int64, email: String, displayName: String) {
        self.id = id
        self.email = email
        self.displayName = displayName
    }
}

/// A device of an account.
public struct Device: Codable, Equatable, Sendable, Identifiable {
    /// Made by the server when the device first signed in; the same after signing in again with it.
    public var id: String
    /// What its owner calls it.
    public var name: String
    /// `linux`, `macos`, `ios`, `android`, `web`, …
    public var platform: String
    /// When it first signed in.
    public var createdAt: Timestamp
    /// When it last signed in, or refreshed its token.
    public var lastSeenAt: Timestamp
    /// True for the device that asks.
    public var current: Bool

    public init(
        id: String, name: String, platform: String, createdAt: Timestamp, lastSeenAt: Timestamp, current: Bool
    ) {
        self.id = id
        self.name = name
        self.platform = platform
        self.createdAt = createdAt
        self.lastSeenAt = lastSeenAt
        self.current = current
    }
}

/// What register, login and refresh answer.
public struct SessionResponse: Codable, Sendable {
    /// A signed token (JWT) for `Authorization: Bearer`.
    public var accessToken: String
    /// Good for one refresh; a device keeps it where only its owner can read.
    public var refreshToken: String
    /// Seconds that the access token holds.
    public var expiresIn: Int64
    public var user: User
    public var device: Device

    public init(accessToken: String, refreshToken: String, expiresIn: Int64, user: User, device: Device) {
        self.accessToken = accessToken
        self.refreshToken = refreshToken
        self.expiresIn = expiresIn
        self.user = user
        self.device = device
    }
}

/// A page of `GET /v1/auth/devices`.
public struct GetDevicesResponse: Codable, Equatable, Sendable {
    public var devices: [Device]
    public var pagination: PaginationMetadata

    public init(devices: [Device], pagination: PaginationMetadata) {
        self.devices = devices
        self.pagination = pagination
    }
}

/// `GET /v1/about`.
public struct AboutResponse: Codable, Equatable, Sendable {
    /// How much the account keeps, and may keep.
    public struct Quota: Codable, Equatable, Sendable {
        /// Bytes: everything that is kept, old revisions and open uploads included.
        public var used: Int64
        /// Bytes; absent where there is none.
        public var limit: Int64?
        /// Files and folders, those in the trash included; absent from the answers of older servers.
        public var items: Int64?
        /// How many there may be; absent where there is no limit.
        public var itemLimit: Int64?

        public init(used: Int64, limit: Int64?, items: Int64? = nil, itemLimit: Int64? = nil) {
            self.used = used
            self.limit = limit
            self.items = items
            self.itemLimit = itemLimit
        }
    }

    /// What the server takes, in bytes.
    public struct Limits: Codable, Equatable, Sendable {
        /// What a session's chunks have where the client has no wish of its own.
        public var chunkSize: Int64
        /// Of one file.
        public var maxFileSize: Int64
        /// Of one file in one request, without a session.
        public var simpleUploadLimit: Int64

        public init(chunkSize: Int64, maxFileSize: Int64, simpleUploadLimit: Int64) {
            self.chunkSize = chunkSize
            self.maxFileSize = maxFileSize
            self.simpleUploadLimit = simpleUploadLimit
        }
    }

    /// What the server asks its clients to keep to.
    public struct Settings: Codable, Equatable, Sendable {
        /// Bytes of cached metadata on a device.
        public var metadataCacheBytes: Int64
        /// Days that a device keeps posts of the feed.
        public var postLifetimeDays: Int
        /// Posts that it keeps whatever their age.
        public var minimumPosts: Int
        /// Whether people see each other here, and post; absent from the answers of older servers, where they do.
        public var feed: Bool?

        public init(
            metadataCacheBytes: Int64 = 200_000_000, postLifetimeDays: Int = 15, minimumPosts: Int = 50,
            feed: Bool? = nil
        ) {
            self.metadataCacheBytes = metadataCacheBytes
            self.postLifetimeDays = postLifetimeDays
            self.minimumPosts = minimumPosts
            self.feed = feed
        }
    }

    public var user: User
    public var quota: Quota
    public var limits: Limits
    public var settings: Settings
    /// The version of the parameters that the drive's files are cut by.
    public var blockParameters: Int?
    /// The server's release, for a client that looks for the cause of something odd.
    public var serverVersion: String?

    public init(
        user: User, quota: Quota, limits: Limits, settings: Settings, blockParameters: Int? = nil,
        serverVersion: String? = Release.version
    ) {
        self.user = user
        self.quota = quota
        self.limits = limits
        self.settings = settings
        self.blockParameters = blockParameters
        self.serverVersion = serverVersion
    }
}
