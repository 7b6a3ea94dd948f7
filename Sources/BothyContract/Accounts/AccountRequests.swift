public struct DeviceDescription: Codable, Equatable, Sendable {
    /// What its owner calls it: «kitchen laptop».
    public var name: String
    /// `linux`, `macos`, `ios`, `android`, `web`, …
    public var platform: String

    public init(name: String, platform: String) {
        self.name = name
        self.platform = platform
    }
}

public struct RegisterRequest: Codable, Sendable {
    public var email: String
    public var password: String
    public var displayName: String
    public var device: DeviceDescription
    /// Printed by the server at each start while there is no account; for the first account from another machine.
    public var setupCode: String?
    /// For later accounts from another machine.
    public var invite: String?

    public init(
        email: String, password: String, displayName: String, device: DeviceDescription, setupCode: String? = nil,
        invite: String? = nil
    ) {
        self.email = email
        self.password = password
        self.displayName = displayName
        self.device = device
        self.setupCode = setupCode
        self.invite = invite
    }
}

public struct LoginRequest: Codable, Sendable {
    public var email: String
    public var password: String
    public var device: DeviceDescription
    /// The device's id from before, so that signing in again makes no second one.
    public var deviceId: String?

    public init(email: String, password: String, device: DeviceDescription, deviceId: String? = nil) {
        self.email = email
        self.password = password
        self.device = device
        self.deviceId = deviceId
    }
}

public struct RefreshRequest: Codable, Sendable {
    public var refreshToken: String

    public init(refreshToken: String) { self.refreshToken = refreshToken }
}

public struct ChangePasswordRequest: Codable, Sendable {
    public var currentPassword: String
    public var newPassword: String

    public init(currentPassword: String, newPassword: String) {
        self.currentPassword = currentPassword
        self.newPassword = newPassword
    }
}

/// The bounds of what an account says of itself.
public enum AccountLimits {
    /// Bytes of UTF-8.
    public static let passwordLength = 8...1024
    public static let emailLength = 3...254
    public static let displayNameLength = 1...100
    public static let deviceNameLength = 1...100
    /// Seconds.
    public static let accessTokenLifetime: Int64 = 15 * 60
    public static let refreshTokenLifetime: Int64 = 90 * 24 * 3600
}
