import BothyContract
import Foundation

/// Ids that this device makes, of its transfers and requests: UUIDv7 (RFC 9562 §5.7), a time in milliseconds and then 74 random bits.
///
/// The server keeps what request ids led to in their order: since they begin with the time, ten thousand files write one
/// page after the other, and not a page each.
package enum OrderedId {
    package static func new(at now: Timestamp) -> String {
        let digits = String(UInt64(bitPattern: now.milliseconds) & 0xFFFF_FFFF_FFFF, radix: 16)
        let time = String(repeating: "0", count: 12 - digits.count) + digits
        let random = UUID().uuidString.lowercased().dropFirst("00000000-0000-4".count)
        return "\(time.prefix(8))-\(time.suffix(4))-7\(random)"
    }
}
