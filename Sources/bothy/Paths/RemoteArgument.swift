import BothyClient

/// A path on the server as it was typed.
struct RemoteArgument: Equatable, Sendable {
    var path: RemotePath
    /// A slash stood at the end: a folder is meant.
    var saysFolder: Bool

    static let root = RemoteArgument(path: .root, saysFolder: true)

    private init(path: RemotePath, saysFolder: Bool) {
        self.path = path
        self.saysFolder = saysFolder
    }

    /// - Throws: a `Complaint` of wrong usage.
    init(_ text: String) throws(Complaint) {
        do {
            path = try RemotePath(text)
        } catch {
            throw Complaint(error)
        }
        saysFolder = path.isRoot || text.hasSuffix("/") || text.hasSuffix("/.")
    }
}
