import BothyClient

/// What a person is told of while they do not look.
extension Words {
    /// A heading, and a sentence. The names in it are safe to show.
    public func notice(_ notice: DeviceNotice) -> (title: String, text: String) {
        let (one, many) = Self.phrases(notice.kind)
        let (name, others) = (ShownName.of(notice.name ?? ""), String(notice.count - 1))
        return (title(notice.kind), notice.count == 1 ? filled(one, name) : filled(many, name, others))
    }

    /// What a kind of notice is called: its heading too.
    func title(_ kind: NoticeKind) -> String {
        switch kind {
        case .conflict: self[.noticeConflict]
        case .held: self[.noticeHeld]
        case .failed: self[.noticeFailed]
        case .signIn: self[.noticeSignIn]
        case .update: self[.noticeUpdate]
        case .mention: self[.noticeMention]
        case .comment: self[.noticeComment]
        case .follow: self[.noticeFollow]
        }
    }

    private static func phrases(_ kind: NoticeKind) -> (one: Phrase, many: Phrase) {
        switch kind {
        case .conflict: (.noticeConflictOne, .noticeConflictMany)
        case .held: (.noticeHeldOne, .noticeHeldMany)
        case .failed: (.noticeFailedOne, .noticeFailedMany)
        case .signIn: (.standingSignInLead, .standingSignInLead)
        case .update: (.noticeUpdateOne, .noticeUpdateMany)
        case .mention: (.noticeMentionOne, .noticeMentionMany)
        case .comment: (.noticeCommentOne, .noticeCommentMany)
        case .follow: (.noticeFollowOne, .noticeFollowMany)
        }
    }
}
