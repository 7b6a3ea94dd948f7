import BothyClient
import BothyContract
import BothySync

/// `bothy trash --local`: what synced folders took away or replaced here, and what was given up here before it was sent.
struct LocalTrash {
    let home: DeviceHome
    let output: OutputOptions

    private var bindings: FolderBindings { FolderBindings(home: home) }

    private struct Document: Encodable {
        var id: String
        /// Absent for what was in no synced folder.
        var folder: String?
        /// In the folder; of what was given up, on the server, where that is known.
        var path: String?
        var kind: String
        var size: Int64
        var takenAt: Timestamp
        var reason: String
        var words: String
        /// Where it lies now.
        var at: String
    }

    private enum Item {
        case inStep(TrashedHere, Binding)
        case givenUp(GivenUpContent)

        var id: String {
            switch self {
            case .inStep(let item, _): item.keep
            case .givenUp(let item): item.id
            }
        }

        var takenAt: Timestamp {
            switch self {
            case .inStep(let item, _): item.takenAt
            case .givenUp(let item): item.givenUpAt
            }
        }
    }

    /// The newest first.
    private func items() async throws -> [Item] {
        let folders = Dictionary(
            try await bindings.all().map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
        let inStep = try await bindings.store.trash(of: nil).compactMap { item in
            folders[item.bindingId].map { Item.inStep(item, $0) }
        }
        let givenUp = try await home.replica.givenUp().map(Item.givenUp)
        return givenUp.isEmpty ? inStep : (inStep + givenUp).sorted { ($1.takenAt, $0.id) < ($0.takenAt, $1.id) }
    }

    func list() async throws {
        let items = try await items()
        if output.json { return try items.forEach { try output.print(document($0)) } }
        let ids = items.map(\.id)
        var table = Table([.init("ID"), .init("SIZE", right: true), .init("REMOVED"), .init("WAS"), .init("WHY")])
        for item in items {
            let id = ShortId.of(item.id, among: ids)
            switch item {
            case .inStep(let item, let binding):
                table.add([
                    id, item.isFolder ? "–" : ByteText.text(item.size), MomentText.text(item.takenAt),
                    "\(binding.localPath)/\(item.place.text)", item.reason.words,
                ])
            case .givenUp(let item):
                let was = item.path.map { "\($0.text) (on the server)" } ?? "–"
                table.add([id, ByteText.text(item.size), MomentText.text(item.givenUpAt), was, item.reason.words])
            }
        }
        output.print(table)
        if table.isEmpty { return output.note("The trash on this machine is empty.") }
        output.note("“bothy trash put-back --local ID” restores one.")
    }

    /// Puts something back where it was; a name that is taken by now gets a counter.
    func putBack(_ typed: String) async throws {
        let items = try await items()
        let named = items.first { item in
            if case .givenUp(let item) = item { typed.hasPrefix("/") && item.path?.text == typed } else { false }
        }
        if let named { return try await putBack(named) }
        guard case .one(let index) = ShortId.find(typed, in: items.map(\.id)) else {
            throw Complaint(
                .notThere, "There is no “\(typed)” in the local trash.",
                remedy: "“bothy trash --local” lists what is in it.", status: .notThereOrInConflict)
        }
        try await putBack(items[index])
    }

    private func putBack(_ item: Item) async throws {
        switch item {
        case .inStep(let trashed, let binding):
            let disk = SystemFolderDisk(path: binding.localPath)
            var place = trashed.place
            var counter = 0
            while try disk.facts(place) != nil {
                counter += 1
                place = trashed.place.parent.appending(NodeName(FileName.numbered(trashed.place.name.text, counter)))
            }
            _ = try disk.takeBack(trashed.keep, to: place)
            try await bindings.store.removeFromTrash(trashed.keep)
            try output.tell("“\(binding.localPath)/\(place.text)” is restored.", document(item))
        case .givenUp(let given):
            let folder = try await home.files.makeFolders(at: given.path?.parent ?? .root)
            let operation = try await home.replica.bringBack(given, to: folder.id)
            let place = try await home.replica.place(of: operation)
            if !home.files.isOffline { try await home.files.sendWhatWaits() }
            if try await home.replica.operations().contains(where: {
                $0.id == operation.id && $0.state != .acknowledged
            }) {
                home.files.reach.record(operation.id)
            }
            try output.tell("“\(place?.text ?? given.id)” is restored.", document(item))
        }
    }

    /// Deletes all of it for good.
    ///
    /// - Parameter ask: called with how many things that is, where there are any.
    /// - Returns: how many went.
    func empty(_ ask: (Int) throws -> Void) async throws -> Int {
        let items = try await items()
        guard !items.isEmpty else { return 0 }
        try ask(items.count)
        for item in items {
            switch item {
            case .inStep(let item, let binding):
                try SystemFolderDisk(path: binding.localPath).purge(item.keep)
                try await bindings.store.removeFromTrash(item.keep)
            case .givenUp(let item): try await home.replica.forget(item)
            }
        }
        return items.count
    }

    private func document(_ item: Item) -> Document {
        switch item {
        case .inStep(let item, let binding):
            Document(
                id: item.keep, folder: binding.localPath, path: item.place.text,
                kind: item.isFolder ? "folder" : "file", size: item.size, takenAt: item.takenAt,
                reason: item.reason.rawValue, words: item.reason.words,
                at: SystemFolderDisk(path: binding.localPath).absolute(Place(text: ".bothy/trash/\(item.keep)")))
        case .givenUp(let item):
            Document(
                id: item.id, path: item.path?.text, kind: "file", size: item.size, takenAt: item.givenUpAt,
                reason: item.reason.rawValue, words: item.reason.words, at: item.localPath)
        }
    }
}

extension GivenUpContent.Reason {
    /// As a sentence without its end.
    fileprivate var words: String {
        switch self {
        case .removed: "you removed it before it was sent"
        case .discarded: "you discarded it before it was sent"
        case .theirsKept: "you kept what was on the server"
        case .merged: "it was merged; this is your version"
        case .leftBehind: "left behind by an interrupted program"
        }
    }
}
