import BothyContract

/// What is needed to make an account.
public struct Registration: Sendable {
    /// A name, `@` and a host; compared without case.
    public var email: String
    /// 8 to 1,024 bytes.
    public var password: String
    /// How others see the person: 1 to 100 bytes.
    public var displayName: String
    /// What its owner calls this device.
    public var deviceName: String
    /// Printed by the server at each start while there is no account; for the first account from another machine.
    public var setupCode: String?
    /// For later accounts from another machine.
    public var invite: String?

    public init(
        email: String, password: String, displayName: String, deviceName: String, setupCode: String? = nil,
        invite: String? = nil
    ) {
        self.email = email
        self.password = password
        self.displayName = displayName
        self.deviceName = deviceName
        self.setupCode = setupCode
        self.invite = invite
    }

    var wire: RegisterRequest {
        RegisterRequest(
            email: email, password: password, displayName: displayName,
            device: DeviceDescription(name: deviceName, platform: ClientEnvironment.platform), setupCode: setupCode,
            invite: invite)
    }
}
