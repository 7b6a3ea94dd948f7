import BothyContract
import Foundation

/// Remedies name commands with DIR and FILE in them; here the folder and the file take their place, to be typed as they stand.
package enum RemedyWords {
    /// - Parameters:
    ///   - folder: the bound folder here, absolute.
    ///   - file: what it is about, absolute; nil where it is about the folder.
    ///   - remote: the folder on the server that it is synced with; nil where none is named.
    package static func filled(
        _ remedy: String, folder: String, file: String? = nil, remote: String? = nil
    ) -> String {
        // Word by word: what a name says is never looked at again.
        let words = remedy.split(separator: " ", omittingEmptySubsequences: false).map(String.init)
        return words.map { word -> String in
            if let remote, word.contains("REMOTE") {
                // The root is no name before what is in it.
                let isAbove = remote == "/" && word.contains("REMOTE/")
                return word.replacingOccurrences(of: "REMOTE", with: isAbove ? "" : remote.asTyped)
            }
            return word.contains("DIR")
                ? word.replacingOccurrences(of: "DIR", with: folder.asTyped)
                : word.replacingOccurrences(of: "FILE", with: (file ?? folder).asTyped)
        }.joined(separator: " ")
    }
}
