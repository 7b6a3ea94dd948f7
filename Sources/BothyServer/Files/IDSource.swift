import BothyContract

/// Makes ids: UUIDv7 (RFC 9562 §5.7), a time in milliseconds and 74 random bits.
///
/// Opaque to clients. Nothing relies on their order: the clock may jump.
package struct IDSource: Sendable {
    private let random: @Sendable () -> UInt64

    package init(random: @escaping @Sendable () -> UInt64 = { UInt64.random(in: .min ... .max) }) {
        self.random = random
    }

    package func next(at now: Timestamp) -> String {
        let milliseconds = UInt64(bitPattern: now.milliseconds) & 0xFFFF_FFFF_FFFF
        let high = milliseconds << 16 | 0x7000 | random() & 0x0FFF
        let low = 0x8000_0000_0000_0000 | random() >> 2
        return Self.text(high, low)
    }

    /// 32 random bits, for the tag of a change.
    package func tag() -> UInt32 { UInt32(truncatingIfNeeded: random()) }

    private static func text(_ high: UInt64, _ low: UInt64) -> String {
        String(unsafeUninitializedCapacity: 36) { digits in
            var place = 0
            for index in 0..<32 {
                if index == 8 || index == 12 || index == 16 || index == 20 {
                    digits[place] = UInt8(ascii: "-")
                    place += 1
                }
                let word = index < 16 ? high : low
                let digit = UInt8(word >> UInt64(60 - (index % 16) * 4) & 15)
                digits[place] = digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "a") + digit - 10
                place += 1
            }
            return 36
        }
    }
}
