import BothyContract

/// How a device plans.
package struct BindingRules: Sendable {
    /// For the names of conflict copies.
    package var deviceName: String
    package var disk: DiskTraits
    package var limits: Guard.Limits

    package init(deviceName: String, disk: DiskTraits = .exact, limits: Guard.Limits = Guard.Limits()) {
        self.deviceName = deviceName
        self.disk = disk
        self.limits = limits
    }
}

extension Binding {
    /// What this device leaves out by itself.
    var rules: IgnoreRules {
        var rules = IgnoreRules()
        rules.exclude(exclude)
        return rules
    }
}
