import BothyContract

/// Where something stands in its folder: folders come first, then what the folder is sorted by counts, and what is equal
/// by that stands in the order of its name's bytes. The server's own order (`GET /v1/files`).
package struct FolderPlace: Sendable {
    private enum Key: Sendable {
        /// As ``NameOrder`` has it: made once, since it is dear.
        case name([UInt8])
        case moment(Timestamp)
        case size(Int64)
    }

    private let isFolder: Bool
    private let key: Key
    private let name: String
    private let isDescending: Bool

    package init(isFolder: Bool, name: String, modifiedAt: Timestamp, size: Int64, in order: FileOrder) {
        self.isFolder = isFolder
        self.name = name
        isDescending = order.isDescending
        key =
            switch order {
            case .name, .nameDescending: .name(NameOrder.key(name))
            case .modifiedAt, .modifiedAtDescending: .moment(modifiedAt)
            case .size, .sizeDescending: .size(size)
            }
    }

    /// - Precondition: both are of one order.
    package func precedes(_ other: FolderPlace) -> Bool {
        if isFolder != other.isFolder { return isFolder }
        return isDescending ? other.isLess(than: self) : isLess(than: other)
    }

    private func isLess(than other: FolderPlace) -> Bool {
        switch (key, other.key) {
        case (.name(let left), .name(let right)):
            if left != right { return left.lexicographicallyPrecedes(right) }
        case (.moment(let left), .moment(let right)):
            if left != right { return left < right }
        case (.size(let left), .size(let right)):
            if left != right { return left < right }
        default: preconditionFailure("places of two orders are not compared")
        }
        return name.utf8.lexicographicallyPrecedes(other.name.utf8)
    }
}

extension FolderPlace {
    init(_ item: FolderItem, in order: FileOrder) {
        self.init(
            isFolder: item.isFolder, name: item.name, modifiedAt: item.modifiedAt, size: item.size, in: order)
    }

    init(_ file: File, in order: FileOrder) {
        self.init(
            isFolder: file.isFolder, name: file.name, modifiedAt: file.modifiedAt, size: file.size, in: order)
    }
}

extension FolderPlace {
    init(_ file: ReplicaFile, in order: FileOrder) {
        self.init(
            isFolder: file.isFolder, name: file.name, modifiedAt: file.modifiedAt, size: file.size, in: order)
    }
}

extension FileOrder {
    /// The other way round; folders come first all the same.
    var isDescending: Bool { rawValue.hasPrefix("-") }

    /// The replica's database has an index of it.
    var isKept: Bool { self == .name || self == .nameDescending }
}
