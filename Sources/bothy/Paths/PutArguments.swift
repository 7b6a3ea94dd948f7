/// What `bothy put LOCAL… [REMOTE]` was given, told apart.
struct PutArguments: Equatable, Sendable {
    /// Paths on this machine; `-` for standard input.
    var sources: [String]
    var target: RemoteArgument

    static let standardInput = "-"

    /// The last of several is the target when it begins with `/`; `to` says it outright, for local paths that do.
    init(paths: [String], to: String?) throws(Complaint) {
        var sources = paths
        if let to {
            target = try RemoteArgument(to)
        } else if paths.count > 1, let last = paths.last, last.hasPrefix("/") {
            target = try RemoteArgument(last)
            sources.removeLast()
        } else {
            target = .root
        }
        self.sources = sources
        if sources.isEmpty {
            throw .usage("There is nothing to upload.", remedy: "Name a file or folder on this machine.")
        }
        if sources.contains(Self.standardInput) {
            guard sources.count == 1 else {
                throw .usage("“-” cannot be combined with files.", remedy: "Use a separate command for it.")
            }
            guard !target.saysFolder else {
                throw .usage("Standard input has no name.", remedy: "Give one: “bothy put - /notes.txt”.")
            }
        }
    }

    var isStandardInput: Bool { sources == [Self.standardInput] }
}

/// What `bothy get REMOTE… [LOCAL]` was given, told apart.
struct GetArguments: Equatable, Sendable {
    var sources: [RemoteArgument]
    /// A path on this machine; `-` for standard output.
    var target: String

    static let standardOutput = "-"

    /// The last of several is the target, always; `to` says it outright, so that all the others are sources.
    init(paths: [String], to: String?) throws(Complaint) {
        var remotes = paths
        if let to {
            target = to
        } else if paths.count > 1, let last = remotes.popLast() {
            target = last
        } else {
            target = "."
        }
        var sources: [RemoteArgument] = []
        for remote in remotes { sources.append(try RemoteArgument(remote)) }
        self.sources = sources
        if target.isEmpty {
            throw .usage("The local path is empty.", remedy: "Name a file or folder; “.” is the current one.")
        }
        if target == Self.standardOutput, sources.count != 1 {
            throw .usage("Only one file can go to “-”.", remedy: "Download them one by one, or into a folder.")
        }
    }

    var isStandardOutput: Bool { target == Self.standardOutput }
}
