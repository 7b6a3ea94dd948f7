import BothyContract
import Foundation

/// What a request came to, and the end of one that shall come to nothing.
struct RequestEnding: Sendable {
    let stamp: ChangeStamp

    func told(of requestId: String, in db: any SQLConnection) throws -> RequestEndResponse {
        guard let known = try OutcomeTable(db, drive: stamp.driveId).known(requestId) else {
            // Outcomes are kept for 30 days; what they made is known for longer.
            let files = FileTable(db, drive: stamp.driveId)
            guard let made = try files.created(by: requestId) else {
                let waits = try ScheduledPostTable(db, of: stamp.driveId).made(by: requestId) != nil
                return RequestEndResponse(
                    done: try waits || PostTable(db).made(by: requestId, of: stamp.driveId) != nil)
            }
            let (row, trashed) = try files.require(made.id)
            return RequestEndResponse(done: true, file: row.file(trashed: trashed))
        }
        guard known.route != nil else { return RequestEndResponse(done: false) }
        let answer = Data(known.answer.utf8)
        // Which kind of answer it was is known by which kind it can be read as.
        if let started = try? WireCoding.decode(UploadStarted.self, from: answer) {
            return Self.told(of: try session(started, in: db))
        }
        if let file = try? WireCoding.decode(File.self, from: answer) {
            return RequestEndResponse(done: true, file: file)
        }
        // An answer without a file tells none.
        let told = try? WireCoding.decode(WithFile.self, from: answer)
        return RequestEndResponse(done: true, file: told?.file)
    }

    /// Nothing comes of it from now on: what arrives under its id is refused, and an upload that it has begun is canceled.
    func withdraw(_ requestId: String, in db: any SQLConnection) throws -> RequestEndResponse {
        let told = try told(of: requestId, in: db)
        if told.done { return told }
        let outcomes = OutcomeTable(db, drive: stamp.driveId)
        guard let known = try outcomes.known(requestId) else {
            try outcomes.withdraw(requestId, lived: stamp.lived)
            return told
        }
        // Another answer is that of no upload.
        if let started = try? WireCoding.decode(UploadStarted.self, from: Data(known.answer.utf8)),
            try session(started, in: db)?.phase == .open
        {
            try UploadSessions.cancel(started.uploadId, in: db, stamp: stamp)
        }
        return told
    }

    /// What uploads, copies and restored revisions answer with.
    private struct WithFile: Codable {
        var file: File
    }

    /// - Returns: nil for one that has been over for a month.
    private func session(_ started: UploadStarted, in db: any SQLConnection) throws -> UploadSession? {
        do {
            return try UploadTable(db, drive: stamp.driveId).session(started.uploadId, lived: stamp.lived)
        } catch let problem as Problem where problem.code == .notFound {
            return nil
        }
    }

    private static func told(of session: UploadSession?) -> RequestEndResponse {
        guard let outcome = session?.outcome else { return RequestEndResponse(done: false) }
        return RequestEndResponse(done: true, file: outcome.file)
    }
}
