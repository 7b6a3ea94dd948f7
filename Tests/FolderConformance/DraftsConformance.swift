import BothyClient
import BothyContract

/// One person's drafts at two places. A device's and those of a server's own web app come to the same.
package struct DraftsConformance {
    private let (here, there): (any DraftsRepository, any DraftsRepository)
    private let posts: any PostsRepository

    package init(_ here: any DraftsRepository, _ there: any DraftsRepository, posts: any PostsRepository) {
        (self.here, self.there, self.posts) = (here, there, posts)
    }

    package func run() async throws {
        try await whatIsSavedIsReadElsewhere()
        try await whereTwoChangedTheSameBothStay()
        try await aPostTakesItsDraftWithIt()
        try await oneThatIsDeletedIsGone()
    }

    private func whatIsSavedIsReadElsewhere() async throws {
        let saved = try await here.save(
            SaveDraftRequest(content: "<p>one <b>two</b></p>", contentWarning: "Steep", editorId: "h"), as: 5)
        try expect(saved.draftId == 5 && saved.version == 1, "\(saved)")
        let read = try await there.draft(5)
        try expect(read.content == "<p>one <strong>two</strong></p>" && read.contentWarning == "Steep", "\(read)")
        try expect(try await there.all().value.map(\.draftId) == [5], "listed")
        try expect(try await there.count() == 1, "counted")
    }

    private func whereTwoChangedTheSameBothStay() async throws {
        _ = try await here.save(SaveDraftRequest(content: "<p>here</p>", baseVersion: 1, editorId: "h"), as: 5)
        let copy = try await there.save(
            SaveDraftRequest(content: "<p>there</p>", baseVersion: 1, editorId: "t"), as: 5)
        try expect(copy.draftId != 5 && copy.copiedFrom == 5, "\(copy)")
        try expect(try await here.draft(5).content == "<p>here</p>", "this stays")
        try await here.delete(copy.draftId)
    }

    private func aPostTakesItsDraftWithIt() async throws {
        let request = NewPostRequest(requestId: "5", content: "<p>here</p>", draftId: 5, draftVersion: 2)
        try await posts.publish(request)
        try expect(try await there.count() == 0, "it goes")
        try await refused(.refused) { _ = try await there.save(SaveDraftRequest(content: "<p>late</p>"), as: 5) }
    }

    private func oneThatIsDeletedIsGone() async throws {
        _ = try await here.save(SaveDraftRequest(content: ""), as: 6)
        try await there.delete(6)
        try await refused(.notFound) { _ = try await here.draft(6) }
        try await refused(.notFound) { try await here.delete(6) }
    }

    // MARK: - Asking

    private func refused(_ code: FailureCode, _ body: () async throws -> Void) async throws {
        do {
            try await body()
        } catch let failure as ClientFailure where failure.code == code {
            return
        }
        throw ClientFailure(.unexpected, "Not refused with \(code).")
    }

    private func expect(_ holds: Bool, _ words: String) throws {
        if !holds { throw ClientFailure(.unexpected, "Does not hold: \(words)") }
    }
}
