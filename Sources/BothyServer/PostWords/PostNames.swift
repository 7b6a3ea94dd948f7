import BothyContract

/// Makes mentions of the handles in a text, and hashtags of its tags.
struct PostNames {
    private let db: any SQLConnection

    init(_ db: any SQLConnection) { self.db = db }

    func named(_ text: PostText) throws -> PostText {
        var people = [String: Int64]()
        for handle in PostNaming.handles(in: text) {
            let row = try db.first("SELECT user_id FROM accounts WHERE handle = ? AND disabled = 0", [handle.sql])
            people[handle] = row?.int64(0)
        }
        return PostNaming.named(text, people: people)
    }
}
