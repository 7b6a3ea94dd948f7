import BothyClient
import BothyContract
import BothySync

/// `bothy trash --local`: what folders in step took away or replaced here.
struct LocalTrash {
    let bindings: FolderBindings
    let output: OutputOptions

    private struct Document: Encodable {
        var id: String
        var folder: String
        var path: String
        var kind: String
        var size: Int64
        var takenAt: Timestamp
        var reason: String
        var words: String
        /// Where it lies now.
        var at: String
    }

    func list() async throws {
        let folders = Dictionary(
            try await bindings.all().map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
        let items = try await bindings.store.trash(of: nil)
        if output.json {
            return try items.forEach { item in
                guard let binding = folders[item.bindingId] else { return }
                try output.print(document(item, binding))
            }
        }
        let ids = items.map(\.keep)
        var table = Table([.init("ID"), .init("SIZE", right: true), .init("TAKEN AWAY"), .init("WAS"), .init("WHY")])
        for item in items {
            guard let binding = folders[item.bindingId] else { continue }
            table.add([
                ShortId.of(item.keep, among: ids), item.isFolder ? "–" : ByteText.text(item.size),
                MomentText.text(item.takenAt), "\(binding.localPath)/\(item.place.text)", item.reason.words,
            ])
        }
        output.print(table)
        if table.isEmpty { output.note("The trash of the folders in step on this machine is empty.") }
    }

    /// Puts something back where it was; a name that is taken by now gets a counter.
    func putBack(_ typed: String) async throws {
        let items = try await bindings.store.trash(of: nil)
        guard case .one(let index) = ShortId.find(typed, in: items.map(\.keep)),
            let binding = try await bindings.store.find(items[index].bindingId)
        else {
            throw Complaint(
                .notThere, "There is no “\(typed)” in the local trash.",
                remedy: "See what is with “bothy trash --local”.", status: .notThereOrInConflict)
        }
        let item = items[index]
        let disk = SystemFolderDisk(path: binding.localPath)
        var place = item.place
        var counter = 0
        while try disk.facts(place) != nil {
            counter += 1
            place = item.place.parent.appending(NodeName(FileName.numbered(item.place.name.text, counter)))
        }
        _ = try disk.takeBack(item.keep, to: place)
        try await bindings.store.removeFromTrash(item.keep)
        try output.tell("“\(binding.localPath)/\(place.text)” is back.", document(item, binding))
    }

    /// Deletes all of it for good.
    ///
    /// - Parameter ask: called with how many things that is, where there are any.
    /// - Returns: how many went.
    func empty(_ ask: (Int) throws -> Void) async throws -> Int {
        let folders = Dictionary(
            try await bindings.all().map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
        let items = try await bindings.store.trash(of: nil).filter { folders[$0.bindingId] != nil }
        guard !items.isEmpty else { return 0 }
        try ask(items.count)
        for item in items {
            guard let binding = folders[item.bindingId] else { continue }
            try SystemFolderDisk(path: binding.localPath).purge(item.keep)
            try await bindings.store.removeFromTrash(item.keep)
        }
        return items.count
    }

    private func document(_ item: TrashedHere, _ binding: Binding) -> Document {
        Document(
            id: item.keep, folder: binding.localPath, path: item.place.text,
            kind: item.isFolder ? "folder" : "file", size: item.size, takenAt: item.takenAt,
            reason: item.reason.rawValue, words: item.reason.words,
            at: SystemFolderDisk(path: binding.localPath).absolute(Place(text: ".bothy/trash/\(item.keep)")))
    }
}
