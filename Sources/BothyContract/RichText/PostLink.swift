/// The addresses that a post may link to.
public enum PostLink {
    /// `rel` of each link: it gives nothing away, and says that a person wrote it.
    public static let relation = "nofollow noopener noreferrer ugc"

    private static let schemes = ["https://", "http://", "mailto:"]
    /// Bytes of one as it is written.
    private static let longest = 2_000

    /// - Parameter address: as it was written, whatever that is.
    /// - Returns: the address in visible ASCII; nil where it is none of the web's or of mail.
    public static func safe(_ address: String) -> String? {
        // A browser reads past line feeds and tabs, wherever they are.
        let read = address.unicodeScalars.filter { ![0x09, 0x0A, 0x0D].contains($0.value) }
        let words = String(String.UnicodeScalarView(read)).split(separator: " ", omittingEmptySubsequences: true)
        guard words.count == 1, let word = words.first else { return nil }
        let start = word.prefix(8).lowercased()
        guard let scheme = schemes.first(where: start.hasPrefix), word.utf8.count > scheme.utf8.count else {
            return nil
        }
        var safe = scheme
        for byte in word.utf8.dropFirst(scheme.utf8.count) { append(byte, to: &safe) }
        // As it is written it is read again.
        return safe.utf8.count <= longest ? safe : nil
    }

    private static func append(_ byte: UInt8, to text: inout String) {
        let isPlain = (0x21...0x7E).contains(byte) && !"\"<>\\^`{|}".utf8.contains(byte)
        guard !isPlain else { return text.unicodeScalars.append(Unicode.Scalar(byte)) }
        let hex = String(byte, radix: 16, uppercase: true)
        text += byte < 0x10 ? "%0\(hex)" : "%\(hex)"
    }
}
