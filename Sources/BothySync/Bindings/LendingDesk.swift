import BothyClient
import Foundation

/// Where the process that watches a folder hears that a command wants it for a moment: a named pipe beside the folder's lock.
///
/// A process that opens it to write and says a word wants the folder, and has it until it closes it again; the kernel does that for a
/// process that is killed. Only one who watches reads from it, so that nobody waits where nobody lends.
package final class LendingDesk: Sendable {
    private let path: String
    /// Keeps the pipe, and what was said into it, while nobody waits for a word.
    private let kept: Int32

    /// - Parameter path: of the pipe, which is made where it is missing.
    package init(path: String) throws(ClientFailure) {
        self.path = path
        if mkfifo(path, 0o600) != 0, errno != EEXIST {
            throw ClientFailure(errno: errno, path: path, doing: "be made")
        }
        kept = try Self.openToRead(path)
    }

    deinit { close(kept) }

    /// Returns once somebody wants the folder, or when the task is cancelled.
    package func waitUntilAsked() async throws(ClientFailure) {
        try await read(isOver: { heard, _ in heard }) { _, _ in true }
    }

    /// Returns once nobody wants it any more, or when the task is cancelled.
    package func waitUntilReturned() async throws(ClientFailure) {
        try await read(isOver: { _, isClosed in isClosed }) { _, isClosed in isClosed }
    }

    /// Reads what is said.
    ///
    /// - Parameters:
    ///   - isOver: whether that is it already, by whether a word was found in the pipe, and whether nobody has it open.
    ///   - isEnough: the same of what comes. Who opens it and goes without a word is heard too, or would be heard for ever.
    private func read(
        isOver: (_ heard: Bool, _ isClosed: Bool) -> Bool,
        until isEnough: @escaping @Sendable (_ heard: Bool, _ isClosed: Bool) -> Bool
    ) async throws(ClientFailure) {
        // Opened anew each time: one through which the last writer was seen to go says for good that there is none.
        let descriptor = try Self.openToRead(path)
        let found = Self.empty(descriptor)
        if isOver(found.heard, found.isClosed) {
            close(descriptor)
            return
        }
        let (events, event) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        let source = DispatchSource.makeReadSource(
            fileDescriptor: descriptor, queue: DispatchQueue(label: "bothy.lending"))
        source.setEventHandler {
            let found = Self.empty(descriptor)
            if isEnough(found.heard, found.isClosed) { event.finish() }
        }
        source.setCancelHandler { close(descriptor) }
        source.resume()
        for await _ in events {}
        source.cancel()
    }

    /// Reads all that was said.
    private static func empty(_ descriptor: Int32) -> (heard: Bool, isClosed: Bool) {
        var bytes = [UInt8](repeating: 0, count: 64)
        var heard = false
        while true {
            let count = Foundation.read(descriptor, &bytes, bytes.count)
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return (heard, count == 0) }
            heard = true
        }
    }

    private static func openToRead(_ path: String) throws(ClientFailure) -> Int32 {
        let descriptor = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
        guard descriptor >= 0 else { throw ClientFailure(errno: errno, path: path, doing: "be read") }
        return descriptor
    }
}
