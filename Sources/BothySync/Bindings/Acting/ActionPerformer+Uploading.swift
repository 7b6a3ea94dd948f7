import BothyClient
import BothyContract

/// Sending files: what goes together takes each step together, so that a step costs little more for many than for one.
extension ActionPerformer {
    /// A class, since each step hands it on to the next.
    private final class Sending: Sendable {
        let action: Action
        let spot: Spot
        let mine: LocalFingerprint
        let over: RemoteFingerprint?

        /// - Parameter action: an upload.
        init(_ action: Action) {
            guard case .upload(let spot, let mine, let over, _) = action.step else {
                preconditionFailure("only what sends a file is sent")
            }
            (self.action, self.spot, self.mine, self.over) = (action, spot, mine, over)
        }
    }

    /// One that is written down.
    private struct Begun: Sendable {
        let sending: Sending
        let written: Written
    }

    private struct Sent: Sendable {
        let begun: Begun
        /// What it has become, as the server said.
        let file: File?
    }

    /// Sends what a plan's actions send.
    ///
    /// - Parameter actions: uploads, and no others.
    /// - Returns: what came of each, in their order.
    func send(_ actions: [Action], in scene: Scene) async -> [Result<Performed, any Error>] {
        let wanted = actions.map { Result<Sending, any Error>.success(Sending($0)) }
        let untouched = await wanted.further { sendings in
            try await onDisk { disk in
                sendings.map { sending in
                    Result {
                        _ = try Self.look(sending.spot.place, sending.mine, in: scene, on: disk)
                        return sending
                    }
                }
            }
        }
        let begun = await untouched.further { sendings in
            zip(sendings, try await writeDown(sendings.map(\.action))).map { .success(Begun(sending: $0, written: $1)) }
        }
        let sent = await begun.further { try await ask($0, in: scene) }
        return await sent.further { files in
            let device = try await drive.authenticate().deviceId
            return try await onDisk { disk in
                files.map { file in
                    Result { try performed(file, by: device, in: scene, on: disk) }
                }
            }
        }
    }

    private func ask(_ begun: [Begun], in scene: Scene) async throws -> [Result<Sent, any Error>] {
        let uploads = begun.map { one in
            Result<DriveUpload, any Error> {
                let sending = one.sending
                return try upload(sending.spot, sending.mine, over: sending.over, one.written.requestId, in: scene)
            }
        }
        let files = await uploads.further { await drive.upload($0) }
        return zip(begun, files).map { one, file in file.map { Sent(begun: one, file: $0) } }
    }

    private func performed(
        _ sent: Sent, by device: String, in scene: Scene, on disk: any FolderDisk
    ) throws -> Performed {
        let (sending, written) = (sent.begun.sending, sent.begun.written)
        var performed = Performed(outcome: Outcome(), trace: trace(of: sending.action, in: scene))
        performed.told = sent.file
        (performed.answered, performed.written) = (written.key, written.text)
        performed.outcome.remote = sent.file.map { RemoteFacts($0, sent: sending.mine, by: device) }
        performed.outcome.local = try Self.there(sending.action, in: scene, on: disk)
        return performed.traced(sending.action)
    }

    /// What is asked of the drive to send a file.
    private func upload(
        _ spot: Spot, _ mine: LocalFingerprint, over: RemoteFingerprint?, _ request: String, in scene: Scene
    ) throws -> DriveUpload {
        var upload = DriveUpload(
            requestId: request, localPath: disk.absolute(spot.place), name: spot.remoteName.text,
            parentId: try folder(of: spot, in: scene))
        upload.fileId = over?.id
        upload.baseRevisionId = over?.revisionId
        upload.twins = scene.contentThere.contents(of: mine.stamp.size, besides: over?.checksum)
        // A disk on which all files look alike says nothing of this one: it stays as it was, and what is new is not executable.
        if !scene.disk.keepsExecutable {
            upload.executable = over.flatMap { scene.remote.facts($0.id)?.executable } ?? false
        }
        let stamp = mine.stamp
        upload.hashed = mine.hash.map { hash in
            HashedSource(
                hash: hash, pin: SourcePin(size: stamp.size, modifiedAt: stamp.modifiedAt, inode: stamp.inode))
        }
        return upload
    }

    /// What moves the bytes of a transfer, alone: nothing is agreed on by it, and it stands on no tree.
    ///
    /// - Returns: it, and the key of the request that is written down for it.
    /// - Throws: `changedMeanwhile` when something else is here than the plan saw.
    func carriage(
        of action: Action, in scene: Scene
    ) async throws -> (bytes: @Sendable () async throws -> Void, request: String?) {
        switch action.step {
        case .upload(let spot, let mine, let over, _):
            _ = try await look(spot.place, mine, in: scene)
            let written = try await writeDown(action)
            let upload = try upload(spot, mine, over: over, written.requestId, in: scene)
            return ({ [drive] in _ = try await drive.upload(upload) }, written.key)
        case .download(let spot, let theirs, let over):
            let wish = Wish(
                theirs: theirs, name: spot.place.name.text, over: over.map { _ in spot.place },
                twins: scene.twins(of: theirs.checksum))
            return ({ _ = try await stage(wish) }, nil)
        default: return ({}, nil)
        }
    }
}

extension RemoteFacts {
    /// The file as it was right after it was sent.
    ///
    /// Asked for a moment later, it may be somebody's edit of that already, which nobody here has seen. But what this device
    /// sent last is its own, also where somebody went on writing while it was sent.
    init(_ file: File, sent mine: LocalFingerprint, by device: String) {
        self.init(file)
        guard let hash = mine.hash, kind == .file, checksum != hash, file.deviceId != device else { return }
        checksum = hash
        size = mine.stamp.size
        headRevisionId = nil
        version -= 1
    }
}
