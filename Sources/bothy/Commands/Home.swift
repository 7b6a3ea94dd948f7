import BothyAgent
import BothyClient
import Foundation

/// The device that commands work from: `$BOTHY_HOME`.
enum Home {
    /// Opens the home, does the work, and closes it again, whichever way the work ended.
    ///
    /// - Parameter ending: what is done and said after work that went well.
    static func using<Value: Sendable>(
        ending: OfflineEnding = OfflineEnding(), _ work: (DeviceHome) async throws -> Value
    ) async throws -> Value {
        try await using(environment, ending: ending, work)
    }

    /// The same for commands that only look: what is known here is shown before anybody wonders why nothing comes.
    static func looking<Value: Sendable>(_ work: (DeviceHome) async throws -> Value) async throws -> Value {
        try await using(environmentForLooking, ending: OfflineEnding(), work)
    }

    private static func using<Value: Sendable>(
        _ environment: ClientEnvironment, ending: OfflineEnding, _ work: (DeviceHome) async throws -> Value
    ) async throws -> Value {
        let home = try await open(environment)
        let value: Value
        do {
            value = try await work(home)
            try await ending.run(home)
        } catch {
            // What the work failed with is what the person must hear; closing can add nothing to it.
            _ = try? await home.close()
            throw error
        }
        try await home.close()
        return value
    }

    /// What every command stands on.
    static var environment: ClientEnvironment {
        var environment = ClientEnvironment.live
        environment.userAgent = "bothy/\(Bothy.version) (\(ClientEnvironment.platform))"
        environment.extraTrustRoots = ProcessInfo.processInfo.environment["BOTHY_CA_FILE"]
        environment.wakeSender = { await HomeAgent.look() }
        environment.metering = BusMetering(environment: ProcessInfo.processInfo.environment)
        if let folder = ProcessInfo.processInfo.environment["BOTHY_TEST_POWER_SUPPLY"] {
            environment.power = SystemPower(folder: folder)
        }
        return environment
    }

    /// The same for commands that only look.
    static var environmentForLooking: ClientEnvironment {
        var environment = environment
        environment.silence = ClientEnvironment.silenceWhileLooking
        return environment
    }

    static func open(_ environment: ClientEnvironment = Home.environment) async throws -> DeviceHome {
        try await DeviceHome.open(at: DeviceHome.defaultDirectory(), environment: environment)
    }
}
