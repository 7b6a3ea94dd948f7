import Foundation

/// What tells what this device runs on.
package protocol PowerSupply: Sendable {
    func reading() -> PowerReading
}

/// What a device runs on at a moment.
package struct PowerReading: Equatable, Sendable {
    /// There is a battery that it can run on.
    package var hasBattery: Bool
    /// It runs on that now: nothing else feeds it.
    package var isOnBattery: Bool
    /// How full its emptiest battery is, in percent; nil where none says.
    package var charge: Int?

    package init(hasBattery: Bool, isOnBattery: Bool, charge: Int? = nil) {
        self.hasBattery = hasBattery
        self.isOnBattery = isOnBattery
        self.charge = charge
    }
}

/// One power supply, in the kernel's words; nil for what it does not tell of it.
package struct ListedSupply: Sendable {
    package var type: String?
    package var online: String?
    package var status: String?
    package var scope: String?
    package var capacity: String?

    package init(
        type: String?, online: String? = nil, status: String? = nil, scope: String? = nil, capacity: String? = nil
    ) {
        self.type = type
        self.online = online
        self.status = status
        self.scope = scope
        self.capacity = capacity
    }

    /// A mouse's or a headset's own: it feeds nothing else.
    private var isOfADevice: Bool { scope == "Device" }

    fileprivate var isBattery: Bool { type == "Battery" && !isOfADevice }

    fileprivate var isPluggedIn: Bool {
        guard let type, let online, !isOfADevice else { return false }
        let isPlug = type.hasPrefix("USB") || ["Mains", "BrickID", "Wireless"].contains(type)
        // 1 and 2 are voltages that are fixed and that are chosen.
        return isPlug && online != "0"
    }
}

extension PowerReading {
    package init(of supplies: [ListedSupply]) {
        let batteries = supplies.filter(\.isBattery)
        let isDraining = batteries.contains { $0.status == "Discharging" }
        self.init(
            hasBattery: !batteries.isEmpty, isOnBattery: isDraining && !supplies.contains(where: \.isPluggedIn),
            charge: batteries.compactMap { $0.capacity.flatMap { Int($0) } }.min())
    }
}

/// What Linux tells; elsewhere there is no such folder, and so no battery.
///
/// https://www.kernel.org/doc/Documentation/ABI/testing/sysfs-class-power
package struct SystemPower: PowerSupply {
    private let folder: String

    /// A laptop has a handful; what lists more is no such folder.
    private static let mostSupplies = 64
    /// Bytes: each file is one word.
    private static let longestWord = 64

    package init(folder: String = "/sys/class/power_supply") { self.folder = folder }

    package func reading() -> PowerReading {
        // A machine that has no such folder has no battery.
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        return PowerReading(
            of: names.prefix(Self.mostSupplies).map { name in
                ListedSupply(
                    type: word("type", of: name), online: word("online", of: name), status: word("status", of: name),
                    scope: word("scope", of: name), capacity: word("capacity", of: name))
            })
    }

    /// - Returns: nil for what this supply does not tell, and for one that is just being taken away.
    private func word(_ property: String, of name: String) -> String? {
        guard let file = FileHandle(forReadingAtPath: "\(folder)/\(name)/\(property)") else { return nil }
        defer { try? file.close() }
        // One that is being taken away tells nothing.
        guard let bytes = try? file.read(upToCount: Self.longestWord) else { return nil }
        return String(decoding: bytes, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
    }
}
