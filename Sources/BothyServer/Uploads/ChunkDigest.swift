import BothyContract
import Foundation

/// The SHA-256 that a request says its body has: `X-Chunk-Hash: sha256=<hex>`, or the `Content-Digest` of RFC 9530.
package enum ChunkDigest {
    /// - Parameters:
    ///   - chunkHash: the value of `X-Chunk-Hash`.
    ///   - contentDigest: the value of `Content-Digest`; algorithms other than `sha-256` are not looked at.
    /// - Throws: `invalid_parameter` for what cannot be read, or two headers that contradict each other.
    package static func read(chunkHash: String?, contentDigest: String?) throws(Problem) -> ContentHash? {
        let first = try chunkHash.map(readChunkHash)
        let second = try contentDigest.flatMap(readContentDigest)
        if let first, let second, first != second {
            throw Problem(
                .invalidParameter, "\(HeaderNames.chunkHash) and \(HeaderNames.contentDigest) say different things.")
        }
        return first ?? second
    }

    private static func readChunkHash(_ text: String) throws(Problem) -> ContentHash {
        let prefix = "sha256="
        guard text.lowercased().hasPrefix(prefix), let hash = ContentHash(hex: text.dropFirst(prefix.count)) else {
            throw Problem(
                .invalidParameter, "\(HeaderNames.chunkHash) should be “sha256=” and 64 hex digits.")
        }
        return hash
    }

    private static func readContentDigest(_ text: String) throws(Problem) -> ContentHash? {
        for member in text.split(separator: ",") {
            let member = member.trimmingCharacters(in: .whitespaces)
            let prefix = "sha-256=:"
            guard member.lowercased().hasPrefix(prefix) else { continue }
            guard member.hasSuffix(":"), member.utf8.count > prefix.utf8.count,
                let bytes = Data(base64Encoded: String(member.dropFirst(prefix.count).dropLast())),
                let hash = ContentHash(bytes: bytes)
            else {
                throw Problem(
                    .invalidParameter,
                    "\(HeaderNames.contentDigest) should be “sha-256=:” and 32 bytes in Base64, and “:”.")
            }
            return hash
        }
        return nil
    }
}
