/// Why the server, or one of its commands, cannot do what it was asked: what happened, to what, and what to do now.
package struct ServerFault: Error, CustomStringConvertible, Sendable {
    package enum Kind: String, Codable, Hashable, Sendable {
        /// Something in the configuration, or in how the command was called.
        case usage
        /// Another server has the data folder, or another backup its folder.
        case locked
        /// The data folder is not what it should be.
        case folder
        /// What was named is not there.
        case missing
        /// Something else stands in the place that was named.
        case occupied
        /// Some of several things were done, and some were not.
        case partly
        /// Everything else.
        case failed
    }

    package let kind: Kind
    package let description: String

    package init(_ kind: Kind, _ description: String) {
        self.kind = kind
        self.description = description
    }
}
