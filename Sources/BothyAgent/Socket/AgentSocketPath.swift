import Foundation

/// Where the agent of a home listens: in a folder that only its owner enters.
package enum AgentSocketPath {
    /// Bytes of a socket's path that the system takes, without the closing NUL (`sun_path`, unix(7)).
    package static let longest = 107

    /// - Parameter home: absolute, and made for its owner alone.
    package static func folder(of home: String) -> String { "\(home)/agent" }

    package static func inside(_ home: String) -> String { "\(folder(of: home))/socket" }
}
