/// What an editor offers, as its script is told.
struct Completions: Encodable {
    static let most = 6

    struct Item: Encodable {
        /// Of a person, in digits.
        var id: String?
        /// Without its sign.
        var word: String
        var more: String
    }

    var items: [Item]
}
