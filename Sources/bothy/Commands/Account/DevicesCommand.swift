import ArgumentParser
import BothyClient
import BothyContract

/// `bothy devices`
struct DevicesCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "devices",
        abstract: "List the account's devices, or sign one out.",
        subcommands: [List.self, SignOut.self], defaultSubcommand: List.self)

    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(commandName: "list", abstract: "List the account's devices.")

        @OptionGroup var output: OutputOptions

        func run() async throws {
            let devices = try await Home.using { try await $0.account.devices() }
            if output.json { return try devices.forEach(output.print) }
            let ids = devices.map(\.id)
            var table = Table([.init("ID"), .init("NAME"), .init("SYSTEM"), .init("LAST SEEN"), .init("")])
            for device in devices {
                table.add([
                    ShortId.of(device.id, among: ids), device.name, device.platform, MomentText.text(device.lastSeenAt),
                    device.current ? "this device" : "",
                ])
            }
            output.print(table)
        }
    }

    struct SignOut: AsyncParsableCommand {
        private struct Document: Encodable {
            var signedOut: Device
        }

        static let configuration = CommandConfiguration(
            commandName: "sign-out", abstract: "Sign another device out.")

        @Argument(help: "Its name, or its id as “bothy devices” shows it.")
        var device: String

        @OptionGroup var output: OutputOptions

        func run() async throws {
            let signedOut = try await Home.using { home in
                let found = try Self.find(device, in: try await home.account.devices())
                try await home.account.signOutDevice(found.id)
                return found
            }
            try output.tell("“\(signedOut.name)” is signed out.", Document(signedOut: signedOut))
        }

        private static func find(_ typed: String, in devices: [Device]) throws -> Device {
            let named = devices.filter { $0.name == typed }
            if named.count == 1 { return named[0] }
            switch ShortId.find(typed, in: devices.map(\.id)) {
            case .one(let index): return devices[index]
            case .several: break
            case .none where named.isEmpty:
                throw Complaint(
                    .notThere, "The account has no device “\(typed)”.", remedy: "See them with “bothy devices”.",
                    status: .notThereOrInConflict)
            case .none: break
            }
            throw Complaint(
                .ambiguous, "“\(typed)” is more than one device.", remedy: "Give its id, as “bothy devices” shows it.",
                status: .wrongUsage)
        }
    }
}
