import BothyContract
import GRDB

/// Posts, comments and people in the journal.
package struct FeedDomain: JournalDomain {
    package let name = JournalDomainName.feed
    private let perform: @Sendable (FeedOperation) async throws -> FeedAnswer

    /// - Parameter perform: does at the server what was done here; the same operation may be asked for again.
    package init(perform: @escaping @Sendable (FeedOperation) async throws -> FeedAnswer) { self.perform = perform }

    /// A post learns where the server has the files that it waited for.
    package func leaving(_ operation: any DomainOperation, in db: Database) throws -> any DomainOperation {
        var operation: FeedOperation = try own(operation)
        guard !operation.files.isEmpty else { return operation }
        operation.action = try operation.action.showing { try PostedContent.address(of: $0, in: db) }
        try FeedOperationTable.save(operation.action, of: operation.id, in: db)
        return operation
    }

    package func send(_ company: [any DomainOperation]) async -> [Result<any DomainAnswer, any Error>] {
        var answers = [Result<any DomainAnswer, any Error>]()
        for operation in company {
            do {
                let operation: FeedOperation = try own(operation)
                guard operation.action.filesUnderWay.isEmpty else { throw Self.fileIsGone(operation) }
                answers.append(.success(try await perform(operation)))
            } catch {
                answers.append(.failure(error))
            }
        }
        return answers
    }

    /// Nothing of it has left this device.
    private static func fileIsGone(_ operation: FeedOperation) -> ClientFailure {
        ClientFailure(
            .refused, "A picture or video of it is not on the server: it was discarded, deleted or changed meanwhile.",
            remedy: "Post it without: “bothy feed edit \(operation.id) --detach”. Or discard it, and write it again."
        ).with { $0.isUnconnected = true }
    }

    /// It is true of what is kept in the same moment in which it is no longer waited for. A post stays until a page of the feed has come
    /// that was asked for after this.
    package func acknowledge(
        _ operation: any DomainOperation, _ answer: any DomainAnswer, in db: Database
    ) throws -> Acknowledgement {
        let (operation, answer): (FeedOperation, FeedAnswer?) = (try own(operation), answer as? FeedAnswer)
        // Another process of this home may have heard the answer first.
        guard try FeedOperationTable.find(operation.id, in: db) != nil else {
            return Acknowledgement(isRetired: true, changed: [])
        }
        let isKept = try take(operation, answer ?? FeedAnswer(), in: db)
        if isKept {
            try OperationTable.note(operation, in: db)
        } else {
            try OperationTable.remove(operation.id, in: db)
        }
        return Acknowledgement(isRetired: !isKept, changed: [])
    }

    /// - Returns: whether it is waited for still.
    private func take(_ operation: FeedOperation, _ answer: FeedAnswer, in db: Database) throws -> Bool {
        switch operation.action {
        case .publish:
            if let made = answer.post { try FeedLuids.bind(operation.subject, .post, made, in: db) }
            if let draft = operation.postedDraft { try KeptDrafts.remove(draft.id, posted: draft.version, in: db) }
            return !answer.isScheduled
        case .delete: if let post = operation.postId { try PostTable.delete(post, in: db) }
        case .interact(let interaction):
            if let post = operation.postId { try PostTable.record(interaction, on: post, in: db) }
        case .comment:
            guard let post = operation.postId, var comment = answer.comment else { break }
            let count = comment.commentCount
            comment.commentCount = nil
            try FeedLuids.bind(operation.subject, .comment, comment.commentId, in: db)
            let isNew = try KeptCommentTable.put(comment, on: post, in: db)
            if let count {
                // An earlier answer may have been lost, and the post been read since.
                try PostTable.raiseComments(to: count, of: post, in: db)
            } else if isNew {
                try PostTable.addComments(1, to: post, in: db)
            }
        case .deleteComment:
            guard let post = operation.postId, let comment = operation.subjectId else { break }
            try KeptCommentTable.delete(comment, on: post, in: db)
            try PostTable.addComments(-1, to: post, in: db)
        case .follow(let isFollowing):
            if let person = operation.subjectId {
                try PeopleTable.setFollowing(isFollowing, isAsked: answer.isAsked, person, in: db)
            }
        }
        return false
    }

    /// What the server says is not there is not kept here either.
    package func rollBack(_ operation: any DomainOperation, in db: Database) throws {
        let refused: FeedOperation = try own(operation)
        if refused.lastError?.code == .notFound {
            switch (refused.action, refused.subjectId, refused.postId) {
            case (.follow, let person?, _): try PeopleTable.delete(person, in: db)
            case (.deleteComment, let comment?, let post?): try KeptCommentTable.delete(comment, on: post, in: db)
            case (_, _, let post?): try PostTable.delete(post, in: db)
            default: break
            }
        }
        try OperationTable.remove(refused.id, in: db)
    }
}

/// What the server said to an operation of the feed.
package struct FeedAnswer: DomainAnswer, Equatable {
    package var version: Int64 { 0 }
    /// The post that was made; nil where none was.
    package var post: Int64?
    /// What the server made of a comment.
    package var comment: Comment?
    /// The person to be followed is asked first.
    package var isAsked: Bool
    /// The server has the post, and posts it at its time: no page of the feed is to bring it.
    package var isScheduled: Bool

    package init(post: Int64? = nil, comment: Comment? = nil, isAsked: Bool = false, isScheduled: Bool = false) {
        self.post = post
        self.comment = comment
        self.isAsked = isAsked
        self.isScheduled = isScheduled
    }
}
