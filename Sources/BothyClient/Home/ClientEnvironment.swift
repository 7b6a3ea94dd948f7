import Foundation

/// What a device stands on: time, chance, disk, power. One place per process builds it.
public struct ClientEnvironment: Sendable {
    package var clock: any ClientClock
    /// 0 up to 1, for the jitter of retries.
    package var chance: @Sendable () -> Double
    package var disk: any LocalDisk
    package var power: any PowerSupply
    package var metering: any NetworkMetering = UntoldMetering()
    /// Seconds that a connection may stand still. A server that hashes the rest of a large file answers late, and asking again
    /// joins what it does.
    public var silence: Double
    /// A path to PEM certificates that are trusted besides the system's, for a household's own authority.
    public var extraTrustRoots: String?
    /// Told to the server: `bothy/1.0 (linux)`.
    public var userAgent: String
    /// Tells the process of this device that sends what waits, where it is another one, that there is something to be sent.
    public var wakeSender: @Sendable () async -> Void = {}

    /// This machine as it is.
    public static var live: ClientEnvironment {
        ClientEnvironment(
            clock: SystemClock(), chance: { Double.random(in: 0..<1) }, disk: SystemDisk(),
            power: SystemPower(), silence: 60, extraTrustRoots: nil, userAgent: "bothy")
    }

    /// The same seconds for a look that has what is known here to show: a server that says nothing for so long is taken as away.
    public static let silenceWhileLooking = 2.5

    /// `linux`, `macos`, `ios`: what a device says that it is.
    public static var platform: String {
        #if os(Linux)
            "linux"
        #elseif os(macOS)
            "macos"
        #else
            "ios"
        #endif
    }
}
