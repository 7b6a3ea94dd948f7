import BothyContract

/// How a device plans.
package struct BindingRules: Sendable {
    /// For the names of conflict copies.
    package var deviceName: String
    /// What the folder's disk makes of names; nil to find out.
    package var disk: DiskTraits?
    package var limits: Guard.Limits

    package init(deviceName: String, disk: DiskTraits? = nil, limits: Guard.Limits = Guard.Limits()) {
        self.deviceName = deviceName
        self.disk = disk
        self.limits = limits
    }
}

extension Binding {
    /// What this device leaves out by itself.
    var rules: IgnoreRules {
        var rules = IgnoreRules()
        rules.exclude(leavesOut.patterns)
        rules.largestFile = leavesOut.largestFile
        rules.leftOutEndings = Set(leavesOut.endings)
        return rules
    }
}
