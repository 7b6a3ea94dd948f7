import Foundation

/// The order of names that a person expects: numbers count as numbers, case and accents do not count.
///
/// «a2.txt» comes before «A10.txt», «Äpfel» beside «Apfel». Names whose keys are equal are told apart by their bytes,
/// so that an order by key and then by name is total.
public enum NameOrder {
    /// Digits of one number; what is longer counts as several.
    private static let mostDigits = 250

    /// What names are compared by, byte for byte.
    ///
    /// A number is written as the digit zero, how many digits it has without those zeros that lead it, and these digits:
    /// of two numbers the longer is the greater.
    public static func key(_ name: String) -> [UInt8] {
        let bytes = Array(folded(name).utf8)
        var key = [UInt8]()
        key.reserveCapacity(bytes.count + 8)
        var place = 0
        while place < bytes.count {
            guard isDigit(bytes[place]) else {
                key.append(bytes[place])
                place += 1
                continue
            }
            let end =
                bytes[place...].prefix(mostDigits).firstIndex { !isDigit($0) } ?? min(bytes.count, place + mostDigits)
            let digits = bytes[place..<end].drop { $0 == UInt8(ascii: "0") }
            key.append(UInt8(ascii: "0"))
            key.append(UInt8(digits.count))
            key += digits
            place = end
        }
        return key
    }

    public static func precedes(_ left: String, _ right: String) -> Bool {
        let (leftKey, rightKey) = (key(left), key(right))
        if leftKey != rightKey { return leftKey.lexicographicallyPrecedes(rightKey) }
        return left.utf8.lexicographicallyPrecedes(right.utf8)
    }

    private static func folded(_ name: String) -> String {
        if name.utf8.allSatisfy({ $0 < 0x80 }) { return name.lowercased() }
        var base = ""
        // The block of marks that go over letters of Latin, Greek and Cyrillic; other scripts need theirs.
        for scalar in name.lowercased().decomposedStringWithCanonicalMapping.unicodeScalars
        where !(0x300...0x36F).contains(scalar.value) { base.unicodeScalars.append(scalar) }
        return base
    }

    private static func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }
}
