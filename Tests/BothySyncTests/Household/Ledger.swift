import BothyContent
import BothyContract
import Synchronization

/// Each content that somebody wrote, and which of them somebody took away since who had it before them.
final class Ledger: Sendable {
    private struct Book {
        var count = 0
        var written = [ContentHash: String]()
        var takenAway = Set<ContentHash>()
    }

    private let book = Mutex(Book())

    /// What nobody has written before.
    func writing(by name: String) -> Writing {
        let number = book.withLock { book in
            book.count += 1
            return book.count
        }
        return Writing(by: name, number: number)
    }

    /// - Returns: words for it.
    func note(_ bytes: [UInt8], _ doing: String) -> String {
        let hash = SHA256Hasher.hash(bytes)
        let words = "\(doing) (\(hash.hex.prefix(8)), \(bytes.count) bytes)"
        book.withLock { $0.written[hash] = words }
        return words
    }

    func takeAway(_ bytes: [UInt8]) { _ = book.withLock { $0.takenAway.insert(SHA256Hasher.hash(bytes)) } }

    /// What somebody wrote that should be there and is not.
    func lost(in tree: FolderTree) -> [String] {
        book.withLock { book in
            let kept = tree.contents
            return book.written.filter { !book.takenAway.contains($0.key) && !kept.contains($0.key) }.values.sorted()
        }
    }

    /// What holds a content that nobody wrote.
    func foreign(in tree: FolderTree) -> [String] {
        book.withLock { book in
            tree.entries.compactMap { path, entry in
                guard case .file(let hash) = entry, book.written[hash] == nil else { return nil }
                return path
            }.sorted()
        }
    }
}
