import BothyContract
import BothyPresentation

/// Posts as their views name things.
enum PostContext {
    /// - Parameter from: the page that it is shown on, where a browser without scripts comes back to.
    static func row(_ row: PostRow, from: String, _ words: Words) -> [String: Any] {
        var context = marks(row.marks, of: row.id, isYours: row.author.isYou, from: "\(from)#post-\(row.id)")
        context.merge(author(row.author, words)) { $1 }
        context["entry"] = row.entry
        context["date"] = row.date
        context["reach"] = reach(row.reach)
        context["canBeShared"] = row.reach.isForEveryone && !row.author.isYou
        context["moment"] = row.moment
        context["moreOf"] = words.filled(.moreOf, row.author.name)
        context["createdAt"] = row.createdAt.rfc3339
        if let warning = row.warning { context["warning"] = warning }
        context["blocks"] = PostBlockView.all(of: row.text)
        context["isCut"] = row.isCut
        if let edited = row.edited { context["edited"] = edited }
        if row.hasPicture || row.attachmentCount > 0 { context["grid"] = grid(row) }
        if let shared = row.shared { context["shared"] = shared }
        if let whereabouts = row.whereabouts { context["whereabouts"] = whereabouts }
        if let attachments = row.attachments { context["attachments"] = attachments }
        return context
    }

    static func reach(_ reach: PostReach) -> [String: Any] {
        let icon =
            switch reach.kind {
            case .everyone: "globe"
            case .followers: "people"
            case .people: "lock"
            }
        return ["icon": icon, "told": reach.words]
    }

    /// Its first pictures and films, and how many more there are.
    private static func grid(_ row: PostRow) -> [String: Any] {
        let link = Destination.post(row.id).link
        let shown = min(row.attachmentCount, mostCells)
        return [
            "count": shown, "isSized": shown == 1 && row.room != nil,
            "cells": (0..<shown).map { place -> [String: Any] in
                let source = "\(link)/media?at=\(place)"
                let picture = MediaQuality.high.address(of: source)
                let medium = row.media.indices.contains(place) ? row.media[place] : nil
                let isVideo = medium?.type == .video
                var cell: [String: Any] = [
                    "original": source, "source": isVideo ? FilmQuality.address(of: source) : picture,
                    "kind": (medium?.type ?? .image).rawValue, "isVideo": isVideo,
                    "small": (shown == 1 ? MediaQuality.high : .medium).address(of: source),
                    "gallery": "\(link)/gallery?at=\(place)",
                ]
                if isVideo { cell["poster"] = picture }
                if let length = medium?.length { cell["length"] = length }
                // Of one alone the whole is shown; of several each has the room that the grid gives it.
                if shown == 1 { cell.merge(room(row.room)) { $1 } }
                let more = row.attachmentCount - mostCells
                if place == mostCells - 1, more > 0 { cell["more"] = more }
                return cell
            },
        ]
    }

    private static let mostCells = 4

    /// What a picture's element says of its room; nothing where that is not known.
    static func room(_ room: PictureRoom?) -> [String: Any] {
        guard let room else { return [:] }
        var context: [String: Any] = ["width": room.width, "height": room.height]
        if let placeholder = room.placeholder { context["placeholder"] = placeholder }
        return context
    }

    /// - Parameter from: the page that it is shown on, where a person comes back to.
    static func waiting(_ post: WaitingRow, from: String) -> [String: Any] {
        var context: [String: Any] = [
            "id": post.id, "from": from, "blocks": PostBlockView.all(of: post.text), "standing": post.standing,
            "isRefused": post.isRefused, "canBeDiscarded": post.canBeDiscarded, "canBeDetached": post.canBeDetached,
            "typed": PostMarkdown.text(of: post.text),
            "pictures": post.pictures.map { ["source": Destination.file($0).link + "/content"] },
        ]
        if let warning = post.warning { context["warning"] = warning }
        if let audience = post.audience { context["audience"] = audience }
        if let whereabouts = post.whereabouts { context["whereabouts"] = whereabouts }
        if let attachments = post.attachments { context["attachments"] = attachments }
        if let remedy = post.remedy { context["remedy"] = remedy }
        return context
    }

    static func author(_ author: PostAuthor, _ words: Words) -> [String: Any] {
        var context: [String: Any] = [
            "authorId": author.id, "author": author.name, "by": words.filled(.postBy, author.name),
            "muteAuthor": words.filled(.postMute, author.name), "blockAuthor": words.filled(.postBlock, author.name),
        ]
        context.merge(PersonContext.face(author.face)) { $1 }
        if let handle = author.handle { context["handle"] = handle }
        return context
    }

    /// The buttons below a post. Each has what it does now, and what it does once it was pressed.
    static func marks(_ marks: PostMarks, of id: Int64, isYours: Bool, from: String) -> [String: Any] {
        let like = (on: PostInteraction.liked.rawValue, off: PostInteraction.removedLike.rawValue)
        let share = (on: PostInteraction.shared.rawValue, off: PostInteraction.removedShare.rawValue)
        let bookmark = (on: PostInteraction.bookmarked.rawValue, off: PostInteraction.removedBookmark.rawValue)
        var context: [String: Any] = [
            "id": id, "from": from, "isYours": isYours, "isLiked": String(marks.liked),
            "isBookmarked": String(marks.bookmarked), "likeAct": marks.liked ? like.off : like.on,
            "likeOther": marks.liked ? like.on : like.off,
            "isShared": String(marks.shared), "shareAct": marks.shared ? share.off : share.on,
            "shareOther": marks.shared ? share.on : share.off,
            "bookmarkAct": marks.bookmarked ? bookmark.off : bookmark.on,
            "bookmarkOther": marks.bookmarked ? bookmark.on : bookmark.off, "likes": marks.likes,
            "likeCount": marks.likeCount, "shareCount": marks.shareCount, "commentCount": marks.commentCount,
        ]
        if let shares = marks.shares { context["shares"] = shares }
        return context
    }
}
