import Foundation

extension ClientFailure {
    /// A disk call that failed, told of the path that it was about.
    ///
    /// - Parameter doing: the end of «cannot …»: «be read», «be written».
    package init(errno code: Int32, path: String, doing: String) {
        switch code {
        case ENOSPC, EDQUOT: self.init(.diskFull, "There is no space left on the disk of “\(Self.folder(of: path))”.")
        case ENOENT: self.init(.fileMissing, "“\(path)” is not there.")
        case EACCES, EPERM, EROFS: self.init(.permissionDenied, "“\(path)” cannot \(doing): \(Self.reason(code)).")
        case EISDIR: self.init(.destinationIsAFolder, "“\(path)” is a folder.")
        case ENOTDIR: self.init(.destinationFolderMissing, "“\(path)” is below something that is not a folder.")
        case ENAMETOOLONG:
            self.init(
                .diskFailed, "“\(path)” cannot \(doing): \(Self.reason(code)).",
                remedy: "Give it, or the folders above it, a shorter name.")
        default: self.init(.diskFailed, "“\(path)” cannot \(doing): \(Self.reason(code)).")
        }
    }

    /// The folder that a person knows: what is on its way into it lies hidden below.
    private static func folder(of path: String) -> String {
        if let hidden = path.range(of: "/.bothy/"), hidden.lowerBound > path.startIndex {
            return String(path[..<hidden.lowerBound])
        }
        let folder = (path as NSString).deletingLastPathComponent
        return folder.isEmpty ? path : folder
    }

    private static func reason(_ code: Int32) -> String { String(cString: strerror(code)) }
}
