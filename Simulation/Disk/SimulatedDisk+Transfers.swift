import BothyClient
import BothyContract
import BothySync

extension SimulatedDisk: SimulatedFiles {
    package func source(_ path: String) throws(ClientFailure) -> UploadSource {
        let path = relative(path)
        guard !isGone, let facts = look(path.texts) else { throw Self.missing(path) }
        guard facts.kind == .file, let bytes = model.bytes(path.texts) else {
            throw ClientFailure(.sourceNotAFile, "“\(path)” is no file.")
        }
        return UploadSource(
            bytes: bytes, modifiedAt: facts.stamp.modifiedAt, executable: facts.executable, inode: facts.stamp.inode)
    }

    package func arrive(_ bytes: [UInt8], at path: String, replacing: Bool) throws(ClientFailure) {
        let path = relative(path)
        try call { () throws(ClientFailure) in
            if !replacing, look(path.texts) != nil { throw Self.failure(.exists, path) }
            try doing(path) { (model) throws(DiskModel.Fault) in try model.write(path.texts, bytes) }
            model.sync(path.texts)
        }
    }

    private func relative(_ path: String) -> Place {
        Place(text: path.hasPrefix(place) ? String(path.dropFirst(place.count)) : path)
    }
}
