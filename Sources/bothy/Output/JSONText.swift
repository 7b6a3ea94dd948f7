import BothyContract
import Foundation

/// JSON for scripts, on one line each.
enum JSONText {
    /// The value in one line. Characters that act on a terminal are written as `\u….` escapes, which read back as
    /// themselves: a name is exact in JSON and harmless on a screen.
    static func line(_ value: some Encodable) throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.withoutEscapingSlashes, .sortedKeys]
        return harmless(String(decoding: try encoder.encode(value), as: UTF8.self))
    }

    /// A document that is JSON already, made harmless on a screen.
    static func harmless(_ json: String) -> String {
        guard json.unicodeScalars.contains(where: \.acts) else { return json }
        var result = ""
        for scalar in json.unicodeScalars {
            if scalar.acts {
                for unit in String(scalar).utf16 {
                    let digits = String(unit, radix: 16)
                    result += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
                }
            } else {
                result.unicodeScalars.append(scalar)
            }
        }
        return result
    }
}
