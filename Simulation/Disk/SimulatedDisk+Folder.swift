import BothyClient
import BothyContent
import BothyContract
import BothySync

extension SimulatedDisk: FolderDisk {
    // MARK: Looking

    package func root() throws(ClientFailure) -> DiskFacts? {
        try around.beforeCall()
        return isGone ? nil : look([])
    }

    package func mark() throws(ClientFailure) -> String? {
        try around.beforeCall()
        if isGone { return nil }
        return model.bytes(Self.markFile).map { String(decoding: $0, as: UTF8.self) }
    }

    package func mark(of folder: Place) throws(ClientFailure) -> String? {
        try around.beforeCall()
        return model.bytes(folder.texts + Self.markFile).map { String(decoding: $0, as: UTF8.self) }
    }

    package func list(_ folder: Place) throws(ClientFailure) -> [DiskEntry] {
        listings += 1
        return try call { () throws(ClientFailure) in
            guard let inode = model.tree.find(folder.texts), model.tree.inodes[inode]?.isFolder == true else {
                throw Self.missing(folder)
            }
            return model.tree.entries(of: inode)
                .filter { !(folder.isRoot && $0.name == PrivateNames.folder) }
                .map { DiskEntry(name: NodeName($0.name), facts: look(folder.texts + [$0.name])) }
        }
    }

    package func facts(_ path: Place) throws(ClientFailure) -> DiskFacts? {
        try call { () throws(ClientFailure) in look(path.texts) }
    }

    package func hash(_ path: Place, expecting expected: DiskFacts) throws(ClientFailure) -> ContentHash {
        try call { () throws(ClientFailure) in
            guard let bytes = model.bytes(path.texts) else { throw Self.missing(path) }
            guard let facts = look(path.texts), facts.isUntouched(since: expected) else {
                throw ClientFailure(.sourceChanged, "“\(path)” changed while it was read.")
            }
            return SHA256Hasher.hash(bytes)
        }
    }

    package func isBeingWritten(_ path: Place) throws(ClientFailure) -> Bool {
        try call { () throws(ClientFailure) in isHeldOpen(path.texts) }
    }

    package func contents(_ path: Place, atMost limit: Int) throws(ClientFailure) -> [UInt8] {
        try call { () throws(ClientFailure) in
            guard let bytes = model.bytes(path.texts) else { throw Self.missing(path) }
            guard bytes.count <= limit else { throw ClientFailure(.fileTooLarge, "“\(path)” is too large.") }
            return bytes
        }
    }

    package func freeBytes() throws(ClientFailure) -> Int64 {
        try call { () throws(ClientFailure) in Int64(clamping: model.freeBytes) }
    }

    package func time() throws(ClientFailure) -> Timestamp {
        guard !isGone, model.exists(Self.privateFolder) else { throw Self.missing(Place(texts: Self.privateFolder)) }
        return model.time
    }

    package func keepsInodes() throws(ClientFailure) -> Bool { model.nature.keepsInodes }

    package func takesName(_ name: String) throws(ClientFailure) -> Bool { true }

    // MARK: Changing

    package func claim(mark: String) throws(ClientFailure) {
        let path = Place(texts: Self.markFile)
        try call { () throws(ClientFailure) in
            for folder in [Self.privateFolder, Self.stagingFolder, Self.trashFolder] where !model.exists(folder) {
                try doing(path) { (model) throws(DiskModel.Fault) in try model.makeFolder(folder) }
            }
            try doing(path) { (model) throws(DiskModel.Fault) in try model.write(Self.markFile, Array(mark.utf8)) }
            model.sync(Self.markFile)
        }
    }

    package func disclaim(keepingTrash: Bool) throws(ClientFailure) {
        try call { () throws(ClientFailure) in
            for gone in keepingTrash ? [Self.stagingFolder, Self.markFile] : [Self.privateFolder]
            where model.exists(gone) {
                try doing(Place(texts: gone)) { (model) throws(DiskModel.Fault) in
                    try model.remove(gone, recursively: true)
                }
            }
        }
    }

    package func makeFolder(_ path: Place) throws(ClientFailure) -> DiskFacts {
        try call { () throws(ClientFailure) in
            try doing(path) { (model) throws(DiskModel.Fault) in try model.makeFolder(path.texts) }
            model.sync(path.texts)
            return try lookAgain(path)
        }
    }

    package func move(
        _ from: Place, to: Place, expecting expected: DiskFacts
    ) throws(ClientFailure) -> DiskFacts {
        try call { () throws(ClientFailure) in
            try require(from, expected)
            // As on a real disk: what would be replaced is there, though it is the same.
            if from != to, from.parent == to.parent, model.nature.key(from.name.text) == model.nature.key(to.name.text)
            {
                throw Self.failure(.exists, to)
            }
            try doing(to) { (model) throws(DiskModel.Fault) in
                try model.rename(from.texts, to.texts, replacing: false)
            }
            model.sync(to.texts)
            return try lookAgain(to)
        }
    }

    /// As the real disk does it: exchange, so that the name never lacks a file, then keep what came out. A crash between
    /// the two leaves it among what is staged.
    package func install(
        _ staged: StagedFile, at path: Place, replacing expected: DiskFacts?, keep: String
    ) throws(ClientFailure) -> DiskFacts {
        let source = Self.stagingFolder + [staged.name]
        var arrived: DiskFacts?
        try call { () throws(ClientFailure) in
            if let expected {
                try require(path, expected)
                try requireUnused(path)
            } else if look(path.texts) != nil {
                throw Self.failure(.exists, path)
            }
            try doing(path) { (model) throws(DiskModel.Fault) in
                guard model.exists(source), model.isFolder(path.parent.texts) else { throw .missing }
                try model.setModified(source, staged.modifiedAt)
                try model.setExecutable(source, staged.executable)
                model.sync(source)
            }
            try doing(path) { (model) throws(DiskModel.Fault) in
                guard expected != nil else { return try model.rename(source, path.texts, replacing: false) }
                try model.exchange(source, path.texts)
            }
            model.sync(path.texts)
            arrived = look(path.texts)
        }
        if expected != nil {
            try call { () throws(ClientFailure) in
                try doing(path) { (model) throws(DiskModel.Fault) in
                    try model.rename(source, Self.trashFolder + [keep], replacing: false)
                }
                model.sync(Self.trashFolder + [keep])
            }
        }
        // An edit right after the exchange is no part of what arrived.
        guard let arrived else { throw Self.missing(path) }
        return arrived
    }

    @discardableResult
    package func discard(_ path: Place, expecting expected: DiskFacts, keep: String) throws(ClientFailure) -> Moved {
        try call { () throws(ClientFailure) in
            try require(path, expected)
            try requireUnused(path)
            try doing(path) { (model) throws(DiskModel.Fault) in
                try model.rename(path.texts, Self.trashFolder + [keep], replacing: true)
            }
            model.sync(path.texts)
        }
        return .renamed
    }

    package func removeFolder(_ path: Place) throws(ClientFailure) {
        try call { () throws(ClientFailure) in
            try doing(path) { (model) throws(DiskModel.Fault) in
                guard model.exists(path.texts) else { return }
                guard model.isFolder(path.texts) else { throw .notEmpty }
                try model.remove(path.texts, recursively: false)
            }
            model.sync(path.parent.texts)
        }
    }

    package func touch(
        _ path: Place, modifiedAt: Timestamp, executable: Bool, expecting expected: DiskFacts
    ) throws(ClientFailure) -> DiskFacts {
        try call { () throws(ClientFailure) in
            try require(path, expected)
            try doing(path) { (model) throws(DiskModel.Fault) in
                try model.setModified(path.texts, modifiedAt)
                try model.setExecutable(path.texts, executable)
            }
            model.sync(path.texts)
            return try lookAgain(path)
        }
    }

    // MARK: The private folder

    package func stagedPlace(_ name: String) -> Place { Place(texts: Self.stagingFolder + [name]) }
    package func trashed(_ keep: String) -> Place { Place(texts: Self.trashFolder + [keep]) }
    package func absolute(_ path: Place) -> String { place + path.text }
    package func staging(_ name: String) -> String { place + (Self.stagingFolder + [name]).joined(separator: "/") }

    package func stage(_ bytes: [UInt8], as name: String) throws(ClientFailure) {
        try arrive(bytes, at: staging(name), replacing: true)
    }

    package func stageCopy(
        of path: Place, expecting expected: DiskFacts, as name: String
    ) throws(ClientFailure) -> ContentHash {
        let bytes = try call { () throws(ClientFailure) in
            guard let bytes = model.bytes(path.texts) else { throw Self.missing(path) }
            guard let facts = look(path.texts), facts.holdsTheSame(as: expected) else { throw Self.changed(path) }
            return bytes
        }
        try arrive(bytes, at: staging(name), replacing: true)
        return SHA256Hasher.hash(bytes)
    }

    package func staged() throws(ClientFailure) -> [String] {
        try call { () throws(ClientFailure) in model.names(in: Self.stagingFolder) }
    }

    package func unstage(_ name: String) throws(ClientFailure) {
        try call { () throws(ClientFailure) in
            let path = Self.stagingFolder + [name]
            guard model.exists(path) else { return }
            try doing(Place(texts: path)) { (model) throws(DiskModel.Fault) in
                try model.remove(path, recursively: false)
            }
        }
    }

    package func discardStaged(_ name: String, keep: String) throws(ClientFailure) {
        try call { () throws(ClientFailure) in
            try doing(Place(texts: [name])) { (model) throws(DiskModel.Fault) in
                try model.rename(Self.stagingFolder + [name], Self.trashFolder + [keep], replacing: true)
            }
        }
    }

    package func isInTrash(_ keep: String) throws(ClientFailure) -> Bool {
        try call { () throws(ClientFailure) in model.exists(Self.trashFolder + [keep]) }
    }

    package func takeBack(_ keep: String, to path: Place) throws(ClientFailure) -> DiskFacts {
        try call { () throws(ClientFailure) in
            try doing(path) { (model) throws(DiskModel.Fault) in
                try model.rename(Self.trashFolder + [keep], path.texts, replacing: false)
            }
            model.sync(path.texts)
            return try lookAgain(path)
        }
    }

    package func purge(_ keep: String) throws(ClientFailure) {
        try call { () throws(ClientFailure) in
            let path = Self.trashFolder + [keep]
            guard model.exists(path) else { return }
            try doing(Place(texts: path)) { (model) throws(DiskModel.Fault) in
                try model.remove(path, recursively: true)
            }
        }
    }
}
