import BothyContract
import Foundation

/// Ids of transfers: UUIDv8 (RFC 9562 §5.8), 74 random bits and then a time in milliseconds.
///
/// A person names a transfer by its first letters, so these are random. The server keeps what request ids led to in their order:
/// there the time goes first, so that ten thousand files write one page after the other, and not a page each.
enum TransferId {
    static func new(at now: Timestamp) -> String {
        let random = UUID().uuidString.lowercased()
        let digits = String(UInt64(bitPattern: now.milliseconds) & 0xFFFF_FFFF_FFFF, radix: 16)
        let time = String(repeating: "0", count: timeDigits - digits.count) + digits
        return "\(random.prefix(versionPlace))8\(random.dropFirst(versionPlace + 1).dropLast(timeDigits))\(time)"
    }

    /// The id with its time first. One of an earlier release has none, and stays what its requests were sent under.
    static func inOrderOfTime(_ id: String) -> String {
        guard id.count == length, id.dropFirst(versionPlace).first == "8" else { return id }
        return "\(id.suffix(timeDigits))-\(id.dropLast(timeDigits + 1))"
    }

    private static let length = 36
    private static let versionPlace = 14
    private static let timeDigits = 12
}
