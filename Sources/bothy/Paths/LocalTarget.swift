import BothyContract

/// Where something from the server may be written: below one folder, and nowhere else.
///
/// The server is not trusted to keep to its own rules. A name that could lead out of the folder, or that no honest
/// server would send, is refused; nothing is renamed in silence.
struct LocalTarget: Equatable, Sendable {
    /// The folder that nothing leaves; as given by the person.
    let root: String
    /// Below the root; each is safe as one component of a path.
    let names: [String]

    init(root: String) {
        self.root = root
        self.names = []
    }

    private init(root: String, names: [String]) {
        self.root = root
        self.names = names
    }

    /// - Throws: a `Complaint` that names the file when its name is none that a local file should have.
    func appending(remoteName name: String) throws(Complaint) -> LocalTarget {
        do {
            // The same rules that the server keeps for its own names; what they give is one component, always.
            _ = try FileName.normalized(name)
        } catch {
            throw Complaint(
                .unsafeName, "The server's name “\(name)” \(error.reason), so it was not written here.",
                remedy: "Rename it on the server with “bothy mv”.")
        }
        return LocalTarget(root: root, names: names + [name])
    }

    var path: String { names.isEmpty ? root : Self.joined(root, names.joined(separator: "/")) }
    var name: String? { names.last }

    static func joined(_ folder: String, _ name: String) -> String {
        folder.isEmpty ? name : folder.hasSuffix("/") ? folder + name : folder + "/" + name
    }
}
