/// What an editor offers, as its script is told.
struct Completions: Encodable {
    static let most = 6

    struct Item: Encodable {
        /// Without its sign.
        var word: String
        var more: String
    }

    var items: [Item]
}
