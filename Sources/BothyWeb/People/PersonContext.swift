import BothyContract
import BothyPresentation

/// People as their views name things.
enum PersonContext {
    /// - Parameter from: the page that it is shown on, where a browser without scripts comes back to.
    /// - Parameter isAsking: she waits to be let in as a follower.
    static func row(_ row: PersonRow, isAsking: Bool = false, from: String, _ words: Words) -> [String: Any] {
        let follow: Phrase = row.isFollowed ? .unfollow : row.isAsked ? .followWithdraw : .follow
        var context: [String: Any] = [
            "id": row.id, "name": row.name, "handle": row.handle, "isYou": row.isYou,
            "isTied": row.isFollowed || row.isAsked, "followWords": words[follow], "isAsking": isAsking,
            "followsYou": row.followsYou, "isMuted": row.isMuted, "isBlocked": row.isBlocked, "from": from,
        ]
        context.merge(face(row.face)) { $1 }
        if let note = row.note { context["note"] = note }
        if let bio = row.bio { context["bio"] = bio }
        return context
    }

    static func face(_ face: Initials) -> [String: Any] { ["initials": face.text, "tint": face.tint] }
}
