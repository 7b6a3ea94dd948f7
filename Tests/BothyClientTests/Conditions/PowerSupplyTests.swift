import BothyClient
import Foundation
import Testing

/// What the kernel tells of power supplies, and what that means for the device.
@Suite struct PowerSupplyTests {
    private static let draining = ListedSupply(type: "Battery", status: "Discharging")
    private static let charging = ListedSupply(type: "Battery", status: "Charging")
    private static let mouse = ListedSupply(type: "Battery", status: "Discharging", scope: "Device")

    private static func plug(_ type: String, _ online: String?, scope: String? = nil) -> ListedSupply {
        ListedSupply(type: type, online: online, scope: scope)
    }

    @Test(
        arguments: [
            ("nothing at all", [], .noBattery),
            ("a desktop", [plug("Mains", "1")], .noBattery),
            ("a laptop, unplugged", [plug("Mains", "0"), draining], .unplugged),
            ("a tablet that lists no plug", [draining], .unplugged),
            ("a laptop, plugged in", [plug("Mains", "1"), charging], .pluggedIn),
            (
                "full, or kept below full",
                [ListedSupply(type: "Battery", status: "Not charging"), plug("Mains", "1")],
                .pluggedIn
            ),
            ("a plug that feeds less than is used", [draining, plug("Mains", "1")], .pluggedIn),
            ("fed through USB", [draining, plug("USB", "1")], .pluggedIn),
            ("fed through USB at a chosen voltage", [draining, plug("USB_PD", "2")], .pluggedIn),
            ("a USB port that feeds nothing", [draining, plug("USB", "0")], .unplugged),
            ("one of two batteries drains", [charging, draining, plug("Mains", "0")], .unplugged),
            ("a desktop with a wireless mouse", [mouse, plug("Mains", "1")], .noBattery),
            ("a desktop that lists its mouse alone", [mouse], .noBattery),
            ("a mouse on its charger", [draining, plug("USB", "1", scope: "Device")], .unplugged),
            (
                "a battery of the system's, so called",
                [ListedSupply(type: "Battery", status: "Discharging", scope: "System")], .unplugged
            ),
            ("a UPS beside a desktop", [ListedSupply(type: "UPS", online: "1", status: "Discharging")], .noBattery),
            ("a battery that is just being taken out", [ListedSupply(type: "Battery")], .pluggedIn),
            ("files that cannot be read", [ListedSupply(type: nil, online: "1", status: "Discharging")], .noBattery),
        ] as [(String, [ListedSupply], PowerReading)])
    func whatADeviceRunsOn(_ device: String, _ supplies: [ListedSupply], _ reading: PowerReading) {
        #expect(PowerReading(of: supplies) == reading, "\(device)")
    }

    @Test func itIsReadFromTheKernelsFiles() throws {
        let folder = try TemporaryFolder()
        let power = SystemPower(folder: folder.file("power"))
        #expect(power.reading() == .noBattery, "there is no such folder")
        for name in ["BAT0", "AC"] {
            try FileManager.default.createDirectory(
                atPath: folder.file("power/\(name)"), withIntermediateDirectories: true)
        }
        #expect(power.reading() == .noBattery, "they tell nothing yet")
        func tell(_ file: String, _ word: String) throws { try folder.write("power/\(file)", Array("\(word)\n".utf8)) }
        try tell("BAT0/type", "Battery")
        try tell("BAT0/status", "Discharging")
        try tell("AC/type", "Mains")
        try tell("AC/online", "0")
        #expect(power.reading() == .unplugged)
        try tell("AC/online", "1")
        #expect(power.reading() == .pluggedIn)
        try tell("BAT0/scope", "Device")
        #expect(power.reading() == .noBattery)
    }

    @Test func theEmptiestBatterySaysHowFullTheyAre() {
        let reading = PowerReading(of: [
            ListedSupply(type: "Battery", status: "Discharging", capacity: "80"),
            ListedSupply(type: "Battery", status: "Discharging", capacity: "40"),
            ListedSupply(type: "Battery", status: "Discharging", scope: "Device", capacity: "3"),
            ListedSupply(type: "Battery", status: "Unknown", capacity: "lots"),
        ])
        #expect(reading.charge == 40 && reading.isOnBattery)
    }

    @Test(
        arguments: [
            (PowerReading.noBattery, nil, true), (.pluggedIn, false, true), (.pluggedIn, true, false),
            (.unplugged, false, false),
            (PowerReading(hasBattery: true, isOnBattery: true, charge: 51), nil, true),
            (PowerReading(hasBattery: true, isOnBattery: true, charge: 50), nil, false),
            (PowerReading(hasBattery: true, isOnBattery: false, charge: 5), nil, true),
        ] as [(PowerReading, Bool?, Bool)])
    func whatNobodyAskedForIsFetchedWhereItCostsNobodyAnything(power: PowerReading, isMetered: Bool?, isAllowed: Bool) {
        #expect(AheadRule.allows(power, isMetered: isMetered) == isAllowed)
    }
}
