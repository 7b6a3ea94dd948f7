/// The names by which a folder is known to hold a server's data. A device that synced such a folder would send what the
/// server writes, which makes the server write again.
package enum ServerFolderNames {
    /// The database.
    package static let database = "bothy.sqlite"
    /// The folder of the blocks' bytes.
    package static let packs = "packs"
    /// The folder of small pictures, which can be made again. A backup has none.
    package static let media = "media"
    /// The file that is locked by the server that uses the folder. A backup has none.
    package static let lock = "lock"
}
