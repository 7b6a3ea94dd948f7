import Foundation

/// Hashtags: letters, digits and “_” behind a “#”, of which one at least is no digit. One tag is found in any case and in every
/// form that Unicode holds for the same (UAX #15, NFKC).
public enum PostTag {
    /// Characters of the longest one.
    public static let longest = 64

    /// - Parameter tag: without its “#”.
    /// - Returns: nil for what is no tag.
    public static func folded(_ tag: String) -> String? {
        guard tag.utf8.count <= longest * 16 else { return nil }
        let folded = foldedOnce(tag)
        guard (1...longest).contains(folded.count), folded.allSatisfy(isPart), !folded.allSatisfy(\.isNumber),
            folded.unicodeScalars.allSatisfy({ !$0.acts }), foldedOnce(folded) == folded
        else { return nil }
        return folded
    }

    private static func foldedOnce(_ tag: String) -> String {
        tag.precomposedStringWithCompatibilityMapping.lowercased().precomposedStringWithCompatibilityMapping
    }

    static func isPart(_ character: Character) -> Bool {
        character == "_" || character.isLetter || character.isNumber
    }

    /// A tag in an address.
    public static func escaped(_ tag: String) -> String {
        var escaped = ""
        for byte in tag.utf8 {
            let scalar = Unicode.Scalar(byte)
            if byte == UInt8(ascii: "_") || NameWords.kind(ofASCII: byte) != .none {
                escaped.unicodeScalars.append(scalar)
            } else {
                let hex = String(byte, radix: 16, uppercase: true)
                escaped += byte < 0x10 ? "%0\(hex)" : "%\(hex)"
            }
        }
        return escaped
    }
}
