import Foundation

/// Makes the folders that a download needs, below its root and through no symbolic link.
///
/// Each component is opened from the one above it without following links, so that a link that stands where the server
/// has a folder cannot lead the download elsewhere.
enum LocalFolders {
    /// Makes the target's own folder with all between it and the root. The root is what the person named: it may be a link.
    ///
    /// - Throws: a `Complaint` when something else stands there, or the disk refuses.
    static func make(_ target: LocalTarget) throws(Complaint) {
        try makeRoot(target.root)
        var descriptor = open(target.root, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { throw refusal(target.root, errno) }
        defer { close(descriptor) }
        var path = target.root
        for name in target.names {
            path = LocalTarget.joined(path, name)
            if mkdirat(descriptor, name, 0o777) != 0, errno != EEXIST { throw refusal(path, errno) }
            let below = openat(descriptor, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
            guard below >= 0 else { throw refusal(path, errno) }
            close(descriptor)
            descriptor = below
        }
    }

    /// The root itself, made when its own folder is there: a typing error makes no tree.
    private static func makeRoot(_ path: String) throws(Complaint) {
        guard mkdir(path, 0o777) != 0, errno != EEXIST else { return }
        throw refusal(path, errno)
    }

    private static func refusal(_ path: String, _ code: Int32) -> Complaint {
        switch code {
        case ENOTDIR, ELOOP:
            Complaint(
                .notAFolder, "“\(path)” on this machine is not a folder, but a folder is needed there.",
                remedy: "Move it away, or download into another folder.", status: .notThereOrInConflict)
        case ENOENT:
            Complaint(
                .notThere, "“\(LocalName.folder(of: path))” on this machine does not exist.",
                remedy: "Create the folder first.",
                status: .notThereOrInConflict)
        default:
            Complaint(
                .localUnwritable, "The folder “\(path)” cannot be created: \(String(cString: strerror(code))).",
                remedy: "Check your permissions and the free space on the disk.")
        }
    }
}
