import BothyContract
import BothyServer

/// The operations of ``DriveModel``, asked of the server.
extension TestServer {
    /// - Returns: the refusal, and the id of what was made.
    func perform(_ operation: DriveModel.Operation) async throws -> (code: ProblemCode?, created: String?) {
        let answer: TestAnswer
        switch operation {
        case .create(let name, let parentId, let isFolder):
            let request = CreateFileRequest(
                requestId: nil, name: name, mimeType: isFolder ? File.folderMimeType : nil, parentId: parentId)
            answer = try await send(.post, "/v1/files", json: request)
        case .update(let id, let request):
            answer = try await update(id, request, as: .phone)
        case .delete(let id, let permanent):
            answer = try await send(.delete, "/v1/files/\(id)?permanent=\(permanent)")
        case .copy(let id, let name, let parentId):
            let request = CopyFileRequest(requestId: nil, name: name, parentId: parentId)
            answer = try await send(.post, "/v1/files/\(id)/copy", json: request)
        case .write(let id, let content):
            do {
                _ = try await commit(content, FilePlacement(fileId: id, name: "x", conflict: .overwrite), as: .phone)
                return (nil, nil)
            } catch let problem as Problem {
                return (problem.code.known, nil)
            }
        }
        return (answer.code, answer.status == 201 ? try answer.file().id : nil)
    }

    /// Carries a restore to its end.
    func restore(_ request: RestoreRequest, as caller: TestCaller = .kitchen) async throws -> TestAnswer {
        while true {
            let answer = try await send(.post, "/v1/restore", as: caller, json: request)
            if answer.status != 202 { return answer }
        }
    }

    /// What a restore does, page by page.
    func restoreChanges(_ id: String, limit: Int = 100) async throws -> [RestoreChange] {
        var changes = [RestoreChange]()
        var page: String?
        repeat {
            let place = page.map { "&page=\($0)" } ?? ""
            let answer = try await send(.get, "/v1/restore/\(id)/changes?limit=\(limit)\(place)")
            let response: GetRestoreChangesResponse = try answer.json()
            changes += response.changes
            page = response.pagination.next
        } while page != nil
        return changes
    }
}
