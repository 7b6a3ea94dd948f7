import Foundation

/// Where the agent of a home listens: in a folder that only its owner enters.
package enum AgentSocketPath {
    /// Bytes of a socket's path that every system takes, without the closing NUL: `sun_path` has 104 on BSD and macOS,
    /// 108 on Linux (unix(7)), and SwiftNIO holds to the least.
    package static let longest = 103

    /// - Parameter home: absolute, and made for its owner alone.
    package static func folder(of home: String) -> String { "\(home)/agent" }

    package static func inside(_ home: String) -> String { "\(folder(of: home))/socket" }
}
