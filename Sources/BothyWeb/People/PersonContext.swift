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

    /// The address of the picture is there for each, also where it is none: lists do not take it from around them.
    static func face(_ face: Face) -> [String: Any] {
        let address = face.picture.map {
            "\(Destination.postsOf($0.person).link)/picture?\(Person.pictureVersion)=\($0.version)"
        }
        return ["initials": face.text, "tint": face.initials.tint, "portrait": address ?? false]
    }
}
