import BothyClient
import BothyContent
import BothyContract
import BothySync

/// A disk model as folder sync uses it: the bound folder of one simulated device.
///
/// Unchecked because a world awaits one thing at a time: nothing here is ever touched by two.
package final class SimulatedDisk: @unchecked Sendable {
    package var model: DiskModel
    /// Where the bound folder lies, so that transfers find their way by absolute paths.
    let place: String
    /// What happens around each call: a person goes on working, and a crash may come.
    let around: any AroundDisk
    /// Where the folder is, if it is not where its device looks for it.
    var away: Away?
    /// How often a folder was listed: what that costs grows with the folder.
    package internal(set) var listings = 0
    /// Inodes of files that programs have open to write in them.
    var heldOpen = Set<UInt64>()
    /// A pass has come to its end since it was emptied.
    var wasSeenEmpty = false

    package init(model: DiskModel, place: String, around: any AroundDisk) {
        self.model = model
        self.place = place
        self.around = around
    }

    static let privateFolder = [PrivateNames.folder]
    static let stagingFolder = [PrivateNames.folder, "staging"]
    static let trashFolder = [PrivateNames.folder, "trash"]
    static let markFile = [PrivateNames.folder, "mark"]

    // MARK: What a person sees

    /// Everything but the private folder, parents first.
    package var personsPaths: [[String]] { model.walk().filter { $0[0] != PrivateNames.folder } }

    /// What each file in the folder holds.
    package var personsFiles: [Place: ContentHash] {
        personsPaths.reduce(into: [:]) { files, path in
            files[Place(path.map { NodeName($0) })] = model.bytes(path).map { SHA256Hasher.hash($0) }
        }
    }

    /// Every content on the disk, of what a person sees and of what lies in the private folder, wherever it is now.
    package var contents: Set<ContentHash> { contents { _ in true } }

    /// The same except for what is still on its way here: until it is in its place, it is the server's to keep.
    package var contentsInPlace: Set<ContentHash> {
        contents { path in
            let isPrivate = path.first == PrivateNames.folder && !path.starts(with: Self.trashFolder)
            return !isPrivate && !(path.last?.hasSuffix(PrivateNames.partial) ?? false)
        }
    }

    private func contents(where isMeant: ([String]) -> Bool) -> Set<ContentHash> {
        var contents = Self.contents(of: model, where: isMeant)
        switch away {
        case .elsewhere(let whole): contents.formUnion(Self.contents(of: whole, where: isMeant))
        case .outOfSight(let part): contents.formUnion(part.files.map { SHA256Hasher.hash($0.bytes) })
        case .nowhere, nil: break
        }
        return contents
    }

    private static func contents(of model: DiskModel, where isMeant: ([String]) -> Bool) -> Set<ContentHash> {
        Set(model.walk().filter(isMeant).compactMap { model.bytes($0).map { SHA256Hasher.hash($0) } })
    }

    // MARK: Looking

    func look(_ names: [String]) -> DiskFacts? {
        guard let number = model.tree.find(names), let inode = model.tree.inodes[number] else { return nil }
        let kind: DiskFacts.Kind =
            switch inode.body {
            case .file: .file
            case .folder: .folder
            case .link: .special(.symbolicLink)
            }
        let stamp = LocalStamp(
            inode: number, size: Int64(inode.bytes?.count ?? 0), modifiedAt: inode.modifiedAt,
            changedAt: inode.changedAt, bornAt: model.nature.tellsBirth ? inode.bornAt : nil)
        // Where all files look alike, they look executable.
        let executable = kind == .file && (inode.executable || !model.nature.keepsExecutable)
        return DiskFacts(kind: kind, stamp: stamp, device: device, executable: executable)
    }

    func lookAgain(_ path: Place) throws(ClientFailure) -> DiskFacts {
        guard let facts = look(path.texts) else { throw Self.missing(path) }
        return facts
    }

    /// The last look before something is replaced or moved.
    func require(_ path: Place, _ expected: DiskFacts) throws(ClientFailure) {
        guard let facts = look(path.texts) else { throw Self.missing(path) }
        guard facts.isUntouched(since: expected), holds(expected, path) else { throw Self.changed(path) }
    }

    /// Whether a file has the content that is expected of it, where its stamp does not vouch for that.
    private func holds(_ expected: DiskFacts, _ path: Place) -> Bool {
        guard let content = expected.content, let bytes = model.bytes(path.texts) else { return true }
        return SHA256Hasher.hash(bytes) == content
    }

    // MARK: Doing

    /// One call of the engine's: what it does happens at once, and the world goes on before and after.
    func call<Value>(_ body: () throws(ClientFailure) -> Value) throws(ClientFailure) -> Value {
        try around.beforeCall()
        if isGone { throw ClientFailure(.fileMissing, "“\(place)” is not there.") }
        let value = try body()
        try around.afterCall()
        return value
    }

    func doing<Value>(
        _ path: Place, _ body: (inout DiskModel) throws(DiskModel.Fault) -> Value
    ) throws(ClientFailure) -> Value {
        do {
            return try body(&model)
        } catch {
            throw Self.failure(error, path)
        }
    }

    static func missing(_ path: Place) -> ClientFailure {
        ClientFailure(.fileMissing, "“\(path)” is not there.")
    }

    static func changed(_ path: Place) -> ClientFailure {
        ClientFailure(.changedMeanwhile, "“\(path)” has changed meanwhile.")
    }

    static func failure(_ fault: DiskModel.Fault, _ path: Place) -> ClientFailure {
        switch fault {
        case .missing, .notAFolder: missing(path)
        case .exists, .isAFolder: ClientFailure(.destinationExists, "There is something at “\(path)” already.")
        case .notEmpty: changed(path)
        case .full: ClientFailure(.diskFull, "There is no room for “\(path)”.")
        case .intoItself: ClientFailure(.refused, "“\(path)” cannot go into itself.")
        }
    }
}

/// What happens around each call to a disk.
package protocol AroundDisk: AnyObject, Sendable {
    /// - Throws: when the device crashes before the call does anything.
    func beforeCall() throws(ClientFailure)
    /// - Throws: when the device crashes right after.
    func afterCall() throws(ClientFailure)
}

extension Place {
    init(texts: [String]) { self.init(texts.map { NodeName($0) }) }

    var texts: [String] { names.map(\.text) }
}
