import BothyContract

/// A path on the server: `/`, `/docs/report.pdf`. Each name is as the server keeps it, in NFC.
public struct RemotePath: Hashable, Sendable {
    /// From the root down; empty for the root itself.
    public let names: [String]

    public static let root = RemotePath(names: [])
    /// Folders below folders: more than a person makes, fewer than would overflow anything.
    private static let maximumDepth = 1_000

    private init(names: [String]) { self.names = names }

    /// Reads `/a/b`. A slash at the end, doubled slashes and `.` are ignored; `..` goes up, never above the root.
    ///
    /// - Throws: `invalidName` for what does not begin with a slash or has a name that no file can have.
    public init(_ text: String) throws(ClientFailure) {
        guard text.beginsWithSlash else {
            throw ClientFailure(
                .invalidName, "“\(text)” is not a path on the server.",
                remedy: "Paths on the server begin with a slash: /docs/report.pdf.")
        }
        var names = [String]()
        for part in text.pathNames where part != "." {
            if part == ".." {
                _ = names.popLast()
                continue
            }
            names.append(try Self.checked(part))
        }
        guard names.count <= Self.maximumDepth else {
            throw ClientFailure(.invalidName, "“\(text.prefix(80))…” is deeper than \(Self.maximumDepth) folders.")
        }
        self.names = names
    }

    /// As it is typed: `/docs/report.pdf`.
    public var text: String { "/" + names.joined(separator: "/") }
    /// nil for the root.
    public var name: String? { names.last }
    /// The root's is the root.
    public var parent: RemotePath { RemotePath(names: Array(names.dropLast())) }
    public var isRoot: Bool { names.isEmpty }

    /// Whether it is in a folder, or in one of the folders in it.
    package func lies(below folder: RemotePath) -> Bool {
        names.count > folder.names.count && names.starts(with: folder.names)
    }

    /// - Throws: `invalidName`.
    public func appending(_ name: String) throws(ClientFailure) -> RemotePath {
        RemotePath(names: names + [try Self.checked(name)])
    }

    private static func checked(_ name: String) throws(ClientFailure) -> String {
        do {
            return try FileName.normalized(name)
        } catch {
            throw ClientFailure(.invalidName, "The name “\(name)” \(error.reason).")
        }
    }
}

extension RemotePath: CustomStringConvertible {
    public var description: String { text }
}
