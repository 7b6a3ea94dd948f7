/// A rule that leaves files out of a synced folder.
public enum LeavingRule: Hashable, Codable, Sendable {
    /// In the language of `.bothyignore`, as it is written.
    case pattern(String)
    /// One that another device took out of its file, and that counts here until a person agrees.
    case formerPattern(String)
    /// Files of more bytes.
    case largerThan(Int64)
}

extension LeavingRule: ExpressibleByStringLiteral {
    public init(stringLiteral pattern: String) { self = .pattern(pattern) }
}
