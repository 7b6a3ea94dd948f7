import BothyContract
import Foundation
import Logging

/// Everything that a server can be told. Defaults serve one household on one machine.
package struct ServerConfig: Sendable {
    package struct TLSFiles: Hashable, Sendable {
        /// PEM, the server's own certificate first.
        package var certificate: String
        package var key: String

        package init(certificate: String, key: String) {
            self.certificate = certificate
            self.key = key
        }
    }

    package enum LogFormat: String, CaseIterable, Sendable { case text, json }

    /// Everything is kept here.
    package var data = ServerConfig.standardData
    package var listen = ListenAddress(host: "127.0.0.1", port: 8420)
    /// Where clients reach the server when that is not where it listens: `https://bothy.example.org`.
    package var publicURL: String?
    /// Only these may say in `X-Forwarded-For` whom they speak for.
    package var trustedProxies: [IPNetwork] = []
    package var registration = RegistrationPolicy.auto
    package var tls: TLSFiles?
    /// A loopback listener of its own for `/metrics`; none where absent.
    package var metricsListen: ListenAddress?
    package var logLevel = Logger.Level.info
    package var logFormat = LogFormat.text
    /// Bytes that stay free on the disk: below that whatever adds or changes something is refused; deleting and signing in still work.
    package var minFree: Int64 = 1 << 30
    /// Bytes that a new account may keep; no limit where absent.
    package var quota: Int64?
    /// Files and folders that an account may have, those in the trash included; no limit where absent. Each takes about a
    /// kilobyte, which no quota counts.
    package var maxItems: Int64? = 2_000_000
    /// Which old versions of files are let go; nil keeps all.
    package var versions: VersionThinning?
    /// Whether people see each other here, and post.
    package var feed = true
    /// Accounts up to which everybody follows everybody; 0 for never.
    package var feedFollow = 50
    /// Followers up to whom a post is written into feeds when it is made; with more, it is brought to each who reads.
    package var feedFanOut = FeedReach().mostFollowers
    /// Connections at once; more wait in the kernel.
    package var maxConnections = 4_096
    /// Seconds that a connection may be silent between requests, or stall within one.
    package var idleTimeout = 60
    /// Refuse a data folder without data in it.
    package var existing = false

    package init() {}

    /// `bothy-server` in the person's own data folder, as the XDG Base Directory Specification has it.
    package static var standardData: String {
        let environment = ProcessInfo.processInfo.environment
        if let folder = environment["XDG_DATA_HOME"], folder.hasPrefix("/") { return folder + "/bothy-server" }
        return NSHomeDirectory() + "/.local/share/bothy-server"
    }
}
