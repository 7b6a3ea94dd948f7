/// A device as it introduces itself when it signs in.
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

/// `POST /v1/auth/register`: makes an account, and signs its first device in.
public struct RegisterRequest: Codable, Sendable {
    /// A name, `@` and a host, 3 to 254 bytes; compared without case.
    public var email: String
    /// 8 to 1,024 bytes of UTF-8; refused with `weak_password` otherwise.
    public var password: String
    /// How others see the person: 1 to 100 bytes.
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

/// `POST /v1/auth/login`: signs a device in.
public struct LoginRequest: Codable, Sendable {
    /// As it was registered, in any case of letters.
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

/// `POST /v1/auth/refresh`: an access token for a refresh token, which is replaced with it.
public struct RefreshRequest: Codable, Sendable {
    /// The newest that the device was given. An older one, used once more, ends the sign-in.
    public var refreshToken: String

    public init(refreshToken: String) { self.refreshToken = refreshToken }
}

/// `POST /v1/auth/password`: a new password, which ends the account's other sessions.
public struct ChangePasswordRequest: Codable, Sendable {
    public var currentPassword: String
    /// 8 to 1,024 bytes of UTF-8; refused with `weak_password` otherwise.
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
    /// Bytes of UTF-8.
    public static let emailLength = 3...254
    /// Bytes of UTF-8.
    public static let displayNameLength = 1...100
    /// Bytes of UTF-8, of the name and of the platform.
    public static let deviceNameLength = 1...100
    /// Seconds.
    public static let accessTokenLifetime: Int64 = 15 * 60
    /// Seconds without use, of time that the server lived.
    public static let refreshTokenLifetime: Int64 = 90 * 24 * 3600
}
