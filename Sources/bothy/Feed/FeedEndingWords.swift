/// What waits to be sent, as the subject of a sentence.
enum FeedEndingWords {
    /// «This», «These 3 actions», «This and 6 earlier actions».
    ///
    /// - Parameters:
    ///   - own: how much the command itself has done of it, 1 or more.
    ///   - earlier: how much waited before.
    static func subject(own: Int, earlier: Int) -> String {
        let this = own == 1 ? "This" : "These \(own) actions"
        switch earlier {
        case 0: return this
        case 1: return "\(this) and 1 earlier action"
        default: return "\(this) and \(earlier) earlier actions"
        }
    }
}
