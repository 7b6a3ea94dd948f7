/// What a synced folder has in it of Bothy's own: whatever takes folders in, on a device or on a server, leaves that out.
package enum SyncedFolderNames {
    /// The folder in the folder's root.
    package static let own = ".bothy"
    /// The file in it that says whose it is. Without it the folder is a person's.
    package static let mark = "folder"
}
