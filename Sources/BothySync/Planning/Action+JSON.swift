import BothyContract

// Actions are written down before they are begun, each of them. Each value names its fields in the order of the alphabet, as
// `JSONEncoder` would; see ``JSONWritable``.

extension Action: JSONWritable {
    package func write(to json: inout JSONWriter) {
        json.field("reason", reason.rawValue)
        json.field("step", step)
    }
}

extension Step: JSONWritable {
    package func write(to json: inout JSONWriter) {
        switch self {
        case .record(let spot, let mine, let theirs):
            json.object("record") { json in
                json.field("at", spot)
                json.field("mine", mine)
                json.field("theirs", theirs)
            }
        case .forget(let id, let place):
            json.object("forget") { json in
                json.field("at", place.text)
                json.field("remoteId", id)
            }
        case .leaveOut(let id, let place):
            json.object("leaveOut") { json in
                json.field("at", place.text)
                json.field("remoteId", id)
            }
        case .rebind(let id, let theirs, let place):
            json.object("rebind") { json in
                json.field("at", place.text)
                json.field("remoteId", id)
                json.field("to", theirs)
            }
        case .markUnsynced(let id, let spot, let mine, let reason):
            json.object("markUnsynced") { json in
                json.field("_3", reason.rawValue)
                json.field("at", spot)
                json.field("mine", mine)
                json.field("remoteId", id)
            }
        case .makeRemoteFolder(let spot, let mine, let former):
            json.object("makeRemoteFolder") { json in
                json.field("at", spot)
                json.field("insteadOf", former)
                json.field("mine", mine)
            }
        case .upload(let spot, let mine, let over, let former):
            json.object("upload") { json in
                json.field("at", spot)
                json.field("insteadOf", former)
                json.field("mine", mine)
                json.field("over", over)
            }
        case .moveRemote(let theirs, let place, let spot, let settles):
            json.object("moveRemote") { json in
                json.field("_0", theirs)
                json.field("at", place.text)
                json.field("settles", settles)
                json.field("to", spot)
            }
        case .untrashRemote(let theirs, let spot):
            json.object("untrashRemote") { json in
                json.field("_0", theirs)
                json.field("at", spot)
            }
        case .trashRemote(let theirs, let place, let count):
            json.object("trashRemote") { json in
                json.field("_0", theirs)
                json.field("at", place.text)
                json.field("count", Int64(count))
            }
        case .touchRemote(let theirs, let place, let modifiedAt, let executable):
            json.object("touchRemote") { json in
                json.field("_0", theirs)
                json.field("at", place.text)
                json.field("executable", executable)
                json.field("modifiedAt", modifiedAt)
            }
        case .makeLocalFolder(let spot, let theirs):
            json.object("makeLocalFolder") { json in
                json.field("at", spot)
                json.field("theirs", theirs)
            }
        case .download(let spot, let theirs, let over):
            json.object("download") { json in
                json.field("at", spot)
                json.field("over", over)
                json.field("theirs", theirs)
            }
        case .moveLocal(let mine, let id, let from, let spot, let settles):
            json.object("moveLocal") { json in
                json.field("_0", mine)
                json.field("from", from.text)
                json.field("remoteId", id)
                json.field("settles", settles)
                json.field("to", spot)
            }
        case .setAside(let mine, let id, let from, let place):
            json.object("setAside") { json in
                json.field("_0", mine)
                json.field("from", from.text)
                json.field("remoteId", id)
                json.field("to", place.text)
            }
        case .trashLocal(let mine, let id, let place, let count):
            json.object("trashLocal") { json in
                json.field("_0", mine)
                json.field("at", place.text)
                json.field("count", Int64(count))
                json.field("remoteId", id)
            }
        case .touchLocal(let mine, let id, let place, let modifiedAt, let executable):
            json.object("touchLocal") { json in
                json.field("_0", mine)
                json.field("at", place.text)
                json.field("executable", executable)
                json.field("modifiedAt", modifiedAt)
                json.field("remoteId", id)
            }
        case .merge(let place, let base, let mine, let theirs):
            json.object("merge") { json in
                json.field("at", place.text)
                json.field("base", base)
                json.field("mine", mine)
                json.field("theirs", theirs)
            }
        }
    }
}

extension Spot: JSONWritable {
    package func write(to json: inout JSONWriter) {
        json.field("folderId", folderId)
        json.field("place", place.text)
        json.field("remoteName", remoteName.text)
    }
}

extension LocalFingerprint: JSONWritable {
    package func write(to json: inout JSONWriter) {
        json.field("hash", hash)
        json.field("kind", kind.rawValue)
        json.field("stamp", stamp)
    }
}

extension RemoteFingerprint: JSONWritable {
    package func write(to json: inout JSONWriter) {
        json.field("checksum", checksum)
        json.field("id", id)
        json.field("kind", kind.rawValue)
        json.field("revisionId", revisionId)
        json.field("size", size)
        json.field("version", version)
    }
}

extension LocalStamp: JSONWritable {
    package func write(to json: inout JSONWriter) {
        json.field("bornAt", bornAt)
        json.field("changedAt", changedAt)
        json.field("inode", inode)
        json.field("modifiedAt", modifiedAt)
        json.field("size", size)
    }
}
