import ArgumentParser

/// A speed limit as it is typed: `500K`, `5M`, `1.5MiB`, or `off`.
struct ByteRate: ExpressibleByArgument, Equatable, Sendable {
    /// Bytes per second; nil for none.
    var bytesPerSecond: Int64?

    /// Slower than this, a chunk would not arrive before the server gives up on it.
    static let slowest: Int64 = 4 * 1024

    init(bytesPerSecond: Int64?) { self.bytesPerSecond = bytesPerSecond }

    init?(argument: String) {
        let word = argument.lowercased()
        if word == "off" || word == "none" {
            self.init(bytesPerSecond: nil)
            return
        }
        let number = word.hasSuffix("/s") ? String(word.dropLast(2)) : word
        guard let bytes = ByteText.parse(number), bytes >= Self.slowest else { return nil }
        self.init(bytesPerSecond: bytes)
    }

    var text: String { bytesPerSecond.map { ByteText.rate(Double($0)) } ?? "off" }
}
