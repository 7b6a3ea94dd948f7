extension KeyedDecodingContainer {
    /// A request id as a client sends it: a string, or a whole number of 1 to 2⁵³ − 1, which is the same id as its digits.
    ///
    /// - Throws: `DecodingError` for anything else.
    func requestId(forKey key: Key) throws -> String? {
        guard contains(key), try !decodeNil(forKey: key) else { return nil }
        // What is no number is a string, or is refused as none.
        guard let number = try? decode(Int64.self, forKey: key) else { return try decode(String.self, forKey: key) }
        guard FeedLimits.requestIds.contains(number) else {
            throw DecodingError.dataCorruptedError(
                forKey: key, in: self, debugDescription: "A request id that is a number is 1 to 2⁵³ − 1.")
        }
        return String(number)
    }
}
