/// What tells whether the network that this device is in costs by what goes through it.
package protocol NetworkMetering: Sendable {
    /// - Returns: nil where nobody tells.
    func isMetered() async -> Bool?
}

/// Of a device on which nobody tells.
package struct UntoldMetering: NetworkMetering {
    package init() {}

    package func isMetered() async -> Bool? { nil }
}
