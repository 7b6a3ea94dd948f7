import BothyContract

/// Content that goes to the drive: that of several operations as one call, which sends small files together.
extension OperationSender {
    /// Does operations that leave together: several that send content, or one of any kind.
    ///
    /// - Returns: what became of each, in their order.
    func send(_ company: [JournalOperation]) async -> [Result<Answer, any Error>] {
        if company.count == 1 { return [await Result(awaiting: { try await send(company[0]) })] }
        return await Result(awaiting: { try await upload(company) }).answers(of: company.count)
    }

    /// - Parameter operations: each sends content.
    /// - Throws: what kept all of them from being sent.
    func upload(_ operations: [JournalOperation]) async throws -> [Result<Answer, any Error>] {
        let places = try await places(of: operations)
        var uploads = [DriveUpload]()
        for (operation, place) in zip(operations, places) {
            if let upload = upload(of: operation, to: place) { uploads.append(upload) }
        }
        var files = uploads.isEmpty ? [].makeIterator() : await drive.upload(uploads).makeIterator()
        return zip(operations, places).map { operation, place in
            guard place.id != nil, let file = files.next() else { return .failure(Self.neverMade) }
            return file.map(Answer.init).mapError { Self.damage($0, of: operation, place) }
        }
    }

    /// Where content goes.
    private struct Place: Sendable {
        /// The server's id of the folder that it goes to, or of the file that it is a version of; nil for one that was never made there.
        var id: String?
        /// What it is called there.
        var name: String
    }

    private func places(of operations: [JournalOperation]) async throws -> [Place] {
        let names = try await names(of: operations.filter { !$0.creates }.map(\.subject))
        return try await store.ground { ground in
            try operations.map { operation in
                var (target, name) = (operation.subject, names[operation.subject])
                if case .upload(let parent, let called, _, _) = operation.action { (target, name) = (parent, called) }
                let id = try LuidTable.serverId(of: try LuidTable.resolved(target, in: ground.db), in: ground.db)
                return Place(id: id, name: name ?? "content")
            }
        }
    }

    /// What files are called here.
    private func names(of subjects: [LUID]) async throws -> [LUID: String] {
        guard !subjects.isEmpty else { return [:] }
        return try await store.view { view in
            var names = [LUID: String]()
            for subject in subjects { names[subject] = try view.file(subject)?.name }
            return names
        }
    }

    /// - Returns: nil where there is nothing at the drive that it could go to.
    private func upload(of operation: JournalOperation, to place: Place) -> DriveUpload? {
        guard let id = place.id, let content = operation.content else { return nil }
        var upload: DriveUpload
        switch operation.action {
        case .newRevision(_, let base):
            upload = DriveUpload(
                requestId: operation.requestId, localPath: content.path, name: place.name, parentId: File.rootId,
                fileId: id, baseRevisionId: base, conflict: .fail, mimeType: content.mimeType)
        case .upload(_, _, _, let conflict):
            upload = DriveUpload(
                requestId: operation.requestId, localPath: content.path, name: place.name, parentId: id,
                conflict: conflict, mimeType: content.mimeType)
        default: return nil
        }
        // The home's own copy is sent as it was taken in, or not at all: nobody edits it, so what is another is damaged.
        upload.checksum = HeldCopy(waiting: content).checksum
        return upload
    }

    private static func damage(_ error: any Error, of operation: JournalOperation, _ place: Place) -> any Error {
        guard let failure = error as? ClientFailure, failure.code == .sourceDamaged, let content = operation.content
        else { return error }
        return HeldCopy(waiting: content).damage(of: place.name, isOffline: false).with {
            $0.remedy =
                "Upload the original file again, and discard this: “bothy journal discard \(operation.id)”."
        }
    }
}

extension Result where Failure == any Error {
    /// What became of each of several; where something kept all of them from it, each has that.
    fileprivate func answers<Value>(of count: Int) -> [Result<Value, any Error>]
    where Success == [Result<Value, any Error>] {
        switch self {
        case .success(let each): each
        case .failure(let error): Array(repeating: .failure(error), count: count)
        }
    }
}
