import Foundation

/// The short name of a person that nobody else on the server has: 2 to 30 of `a` to `z`, `0` to `9` and `_`. It is written with
/// an `@` before it.
public struct Handle: Equatable, Hashable, Sendable {
    /// Without the `@`.
    public let text: String

    /// - Parameter typed: as a person types it: with an `@` or without, in any case of letters.
    /// - Returns: nil for what cannot be one.
    public init?(_ typed: String) {
        let text = (typed.hasPrefix("@") ? typed.dropFirst() : typed[...]).lowercased()
        guard Self.length.contains(text.utf8.count), text.utf8.allSatisfy(Self.isAllowed) else { return nil }
        self.text = text
    }

    private init(checked: String) { text = checked }

    /// Letters, digits and `_`.
    public static let length = 2...30

    /// Whether it stands for somebody else than a person, or for a word of addresses and commands: nobody can take it.
    public var isReserved: Bool { Self.reserved.contains(text) }

    private static let reserved: Set<String> = [
        "abuse", "account", "admin", "administrator", "all", "api", "bothy", "everybody", "everyone", "feed",
        "followers",
        "help", "here", "hostmaster", "info", "me", "mod", "moderator", "moderators", "nobody", "notifications", "null",
        "official", "people", "postmaster", "posts", "profile", "root", "security", "server", "settings", "someone",
        "staff",
        "support", "system", "undefined", "webmaster", "you",
    ]

    /// What a person of that name may be called, the best first; the last is hers alone, for it has her id.
    ///
    /// - Parameter id: the account's.
    public static func suggestions(for name: String, id: Int64) -> [Handle] {
        let base = base(of: name)
        let numbered = (2...9).map { "\($0)" }
        let byId = ["_\(String(id).suffix(4))", "_\(String(id).suffix(8))", "_\(id)"]
        let whole = [base] + (numbered + byId).map { base.prefix(length.upperBound - $0.count) + $0 }
        // A long name that ends like one of the others is there once.
        var seen = Set<String>()
        return whole.map { Handle(checked: $0) }.filter { !$0.isReserved && seen.insert($0.text).inserted }
    }

    /// The letters and digits of a name, in small letters without their marks, and `_` for what is between them.
    private static func base(of name: String) -> String {
        var text = ""
        for scalar in name.decomposedStringWithCompatibilityMapping.lowercased().unicodeScalars {
            if let letters = spelled[scalar] {
                text += letters
            } else if scalar.isASCII, isAllowed(UInt8(scalar.value)), scalar != "_" {
                text.unicodeScalars.append(scalar)
            } else if scalar.properties.generalCategory != .nonspacingMark, !text.isEmpty, !text.hasSuffix("_") {
                text += "_"
            }
        }
        text = String(text.prefix(length.upperBound))
        while text.hasSuffix("_") { text.removeLast() }
        return length.contains(text.count) ? text : "person"
    }

    /// Letters that Unicode does not take apart.
    private static let spelled: [Unicode.Scalar: String] = [
        "ß": "ss", "æ": "ae", "œ": "oe", "ø": "o", "đ": "d", "ð": "d", "þ": "th", "ł": "l", "ı": "i",
    ]

    private static func isAllowed(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte) || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
            || byte == UInt8(ascii: "_")
    }
}
