import BothyContract
import NIOCore

/// One connection, as far as it tells how bytes are spared. A request counts once the answer says that the server took it.
///
/// A device asks anew only when it was answered, so that a request's head is the beginning of what comes by, and an answer's as well.
final class Conversation {
    private let uses: Uses
    private var asked: Sparing?

    private static let longestHead = 4096

    init(_ uses: Uses) { self.uses = uses }

    func deviceSays(_ bytes: ByteBuffer) {
        guard let start = Self.start(of: bytes, 9), start.hasPrefix("POST /v1/") || start.hasPrefix("PUT /v1/"),
            let head = Self.start(of: bytes, Self.longestHead)
        else { return }
        asked = Self.sparing(head.lowercased())
    }

    func serverSays(_ bytes: ByteBuffer) {
        guard let start = Self.start(of: bytes, 12), start.hasPrefix("HTTP/1.1 "), let status = Int(start.suffix(3)),
            status >= 200
        else { return }
        // An upload that goes on is answered with 308.
        if let asked, (200..<300).contains(status) || status == 308 { uses.add(asked) }
        asked = nil
    }

    private static func sparing(_ head: String) -> Sparing? {
        let line = head.prefix { !$0.isNewline }
        if line.hasPrefix("post /v1/upload/batch ") { return .batchUp }
        if line.hasPrefix("post /v1/content/batch ") { return .batchDown }
        if line.hasPrefix("post "), line.contains("/patch ") { return .patchDown }
        let isPatch = head.contains("content-type: \(PatchRequest.patchMediaType)")
        return line.hasPrefix("put ") && isPatch ? .patchUp : nil
    }

    private static func start(of bytes: ByteBuffer, _ count: Int) -> String? {
        bytes.getString(at: bytes.readerIndex, length: min(count, bytes.readableBytes))
    }
}
