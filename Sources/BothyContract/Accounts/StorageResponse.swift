/// The answer to `GET /v1/storage`: what takes room in an account's drive.
public struct StorageResponse: Codable, Equatable, Sendable {
    /// Some of it.
    public struct Part: Codable, Equatable, Sendable {
        public var count: Int
        /// What it would be with nothing kept once only.
        public var bytes: Int64

        public init(count: Int = 0, bytes: Int64 = 0) {
            self.count = count
            self.bytes = bytes
        }
    }

    /// What the files hold now, by their media type.
    public var files: [String: Part]
    public var trash: Part
    /// What files were before.
    public var versions: Part
    /// What posts show whose files are deleted; absent from a server that does not keep it.
    public var posts: Part?

    public init(files: [String: Part], trash: Part, versions: Part, posts: Part? = nil) {
        self.files = files
        self.trash = trash
        self.versions = versions
        self.posts = posts
    }
}
