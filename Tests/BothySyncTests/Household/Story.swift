import Foundation
import Synchronization

/// What happened, in order, written down as it happens: for whoever has to find out why, also why it does not end.
final class Story: Sendable {
    let path: String
    private let file: Mutex<FileHandle>

    init(path: String) throws {
        self.path = path
        let url = URL(fileURLWithPath: path)
        try Data().write(to: url)
        file = Mutex(try FileHandle(forWritingTo: url))
    }

    func tell(_ line: String) { file.withLock { $0.write(Data("\(line)\n".utf8)) } }

    /// It ended well.
    func forget() throws { try FileManager.default.removeItem(atPath: path) }
}

/// What is not as it should be.
struct Finding: Error, CustomStringConvertible {
    let description: String
}
