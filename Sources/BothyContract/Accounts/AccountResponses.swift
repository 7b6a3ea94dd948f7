public struct User: Codable, Equatable, Sendable, Identifiable {
    /// A Snowflake id.
    public var id: Int64
    public var email: String
    public var displayName: String

    public init(id: Int64, email: String, displayName: String) {
        self.id = id
        self.email = email
        self.displayName = displayName
    }
}

public struct Device: Codable, Equatable, Sendable, Identifiable {
    public var id: String
    public var name: String
    public var platform: String
    public var createdAt: Timestamp
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
    public var accessToken: String
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
    public struct Quota: Codable, Equatable, Sendable {
        /// Bytes: everything that is kept, old revisions and open uploads included.
        public var used: Int64
        /// Bytes; absent where there is none.
        public var limit: Int64?

        public init(used: Int64, limit: Int64?) {
            self.used = used
            self.limit = limit
        }
    }

    public struct Limits: Codable, Equatable, Sendable {
        public var chunkSize: Int64
        public var maxFileSize: Int64
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
        public var postLifetimeDays: Int
        public var minimumPosts: Int

        public init(metadataCacheBytes: Int64 = 200_000_000, postLifetimeDays: Int = 15, minimumPosts: Int = 50) {
            self.metadataCacheBytes = metadataCacheBytes
            self.postLifetimeDays = postLifetimeDays
            self.minimumPosts = minimumPosts
        }
    }

    public var user: User
    public var quota: Quota
    public var limits: Limits
    public var settings: Settings
    /// The server's release, for a client that looks for the cause of something odd.
    public var serverVersion: String?

    public init(
        user: User, quota: Quota, limits: Limits, settings: Settings, serverVersion: String? = Release.version
    ) {
        self.user = user
        self.quota = quota
        self.limits = limits
        self.settings = settings
        self.serverVersion = serverVersion
    }
}
