import ArgumentParser

/// A speed limit as it is typed: `500K`, `5M`, `1.5MiB`, or `off`.
struct ByteRate: Equatable, Sendable {
    /// Bytes per second; nil for none.
    var bytesPerSecond: Int64?

    /// Slower than this, a chunk would not arrive before the server gives up on it.
    static let slowest: Int64 = 4 * 1024

    init(bytesPerSecond: Int64?) { self.bytesPerSecond = bytesPerSecond }

    /// - Throws: `ValidationError` with what is wrong with it.
    static func parse(_ typed: String) throws -> ByteRate {
        let word = typed.lowercased()
        if word == "off" || word == "none" { return ByteRate(bytesPerSecond: nil) }
        let number = word.hasSuffix("/s") ? String(word.dropLast(2)) : word
        guard let bytes = ByteText.parse(number) else {
            throw ValidationError("This is not a rate: give bytes per second, such as 500K or 5M, or off.")
        }
        guard bytes >= slowest else {
            throw ValidationError(
                "This is too slow: the minimum is \(ByteText.text(slowest)) per second.")
        }
        return ByteRate(bytesPerSecond: bytes)
    }

    var text: String { bytesPerSecond.map { ByteText.rate(Double($0)) } ?? "off" }
}
