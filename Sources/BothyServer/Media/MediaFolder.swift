import BothyContract
import Foundation

/// One prepared picture: of which content of which drive, how large, and how it is written down.
struct MediaKey: Hashable, Sendable {
    var drive: Int64
    var checksum: ContentHash
    var quality: MediaQuality
    var encoding = PictureEncoding.webp
}

/// Where prepared pictures lie. All of it can be made again: no copy of the data has it, and it may be taken away at any time.
///
///     media/<drive>/<first two digits>/<SHA-256>-<quality>.webp     a picture; or `.jpg`
///     media/<drive>/<first two digits>/<SHA-256>-<quality>.none     none could be made, and why
///     media/<drive>/<first two digits>/<SHA-256>-720p.mp4           a film; or `.instead`: what serves in its place
///     media/<drive>/<first two digits>/<SHA-256>.aside              what it is made of ends programs, how often, and why
///     media/work/                                                   what is being made
struct MediaFolder: Sendable {
    static let none = "none"
    private static let aside = "aside"
    private static let work = "work"
    /// Seconds after which it is tried again to make a picture where none could be made: the programs may be other ones by then.
    static let refusalHolds: Int64 = 86_400
    /// Seconds after which it counts that a picture is used again.
    private static let usedAgain: Int64 = 86_400

    let path: String

    // MARK: - Looking

    enum Known {
        case picture([UInt8])
        case refused
    }

    /// How often a content may end a program before it is not given to one any more: the first time may have been the machine's fault.
    static let mostEnded = 2

    /// What is known of a picture; nil where it has to be made.
    func find(_ key: MediaKey, now: Timestamp) -> Known? {
        let place = place(of: key)
        // A crash may leave a file without its bytes.
        if let picture = picture(key, now: now) { return .picture(picture) }
        if let ended = ended(key.drive, key.checksum), ended.times >= Self.mostEnded { return .refused }
        guard let refused = Self.changed("\(place).\(Self.none)") else { return nil }
        return now.seconds - refused < Self.refusalHolds ? .refused : nil
    }

    private func picture(_ key: MediaKey, now: Timestamp) -> [UInt8]? {
        let file = "\(place(of: key)).\(key.encoding.rawValue)"
        guard let data = FileManager.default.contents(atPath: file), !data.isEmpty else { return nil }
        noteUse(of: file, now)
        return Array(data)
    }

    /// The picture that is nearest to one that is not there; the next larger one rather than a smaller one.
    func nearest(_ key: MediaKey, now: Timestamp) -> [UInt8]? {
        key.quality.nearest.lazy.compactMap { quality in
            var key = key
            key.quality = quality
            return picture(key, now: now)
        }.first
    }

    /// What nobody looks at any more goes first.
    func noteUse(of file: String, _ now: Timestamp) {
        guard let before = Self.changed(file), now.seconds - before > Self.usedAgain else { return }
        let date = Date(timeIntervalSince1970: Double(now.seconds))
        // Only an order in which pictures go.
        try? FileManager.default.setAttributes([.modificationDate: date], ofItemAtPath: file)
    }

    /// Seconds since 1970; nil for what is not there.
    static func changed(_ file: String) -> Int64? {
        var status = stat()
        return stat(file, &status) == 0 ? Int64(status.st_mtim.tv_sec) : nil
    }

    private func place(of key: MediaKey) -> String {
        "\(place(of: key.checksum, in: key.drive))-\(key.quality.rawValue)"
    }

    func place(of checksum: ContentHash, in drive: Int64) -> String {
        "\(path)/\(drive)/\(checksum.hex.prefix(2))/\(checksum.hex)"
    }

    // MARK: - Making

    /// A folder for one picture that is being made.
    func beginWork() throws -> String {
        let folder = "\(path)/\(Self.work)/\(UUID().uuidString)"
        try FileManager.default.createDirectory(
            atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        return folder
    }

    func endWork(_ folder: String) {
        // What stays goes when the server starts next.
        try? FileManager.default.removeItem(atPath: folder)
    }

    /// Takes away what a crash left.
    func endAllWork() {
        try? FileManager.default.removeItem(atPath: "\(path)/\(Self.work)")
    }

    /// Keeps a picture that was made, written in its folder first: what is not whole never has its name.
    func keep(_ picture: [UInt8], as key: MediaKey, in work: String) throws {
        let (place, file) = (place(of: key), "\(work)/kept")
        try Data(picture).write(to: URL(fileURLWithPath: file))
        try makeShelf(of: place)
        guard rename(file, "\(place).\(key.encoding.rawValue)") == 0 else {
            throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO)
        }
        // A picture that is there counts, whatever lies beside it.
        try? FileManager.default.removeItem(atPath: "\(place).\(Self.none)")
    }

    /// Remembers that none could be made.
    func refuse(_ key: MediaKey, _ reason: String) throws {
        let place = place(of: key)
        try makeShelf(of: place)
        try Data(reason.utf8).write(to: URL(fileURLWithPath: "\(place).\(Self.none)"))
    }

    /// Remembers that a content has ended a program that it was given to.
    ///
    /// - Returns: whether it is set aside by now.
    func noteEnd(_ drive: Int64, _ checksum: ContentHash, _ reason: String) throws -> Bool {
        let times = (ended(drive, checksum)?.times ?? 0) + 1
        let place = place(of: checksum, in: drive)
        try makeShelf(of: place)
        try Data("\(times)\n\(reason)\n".utf8).write(
            to: URL(fileURLWithPath: "\(place).\(Self.aside)"), options: .atomic)
        return times >= Self.mostEnded
    }

    func ended(_ drive: Int64, _ checksum: ContentHash) -> (times: Int, reason: String)? {
        FileManager.default.contents(atPath: "\(place(of: checksum, in: drive)).\(Self.aside)").flatMap(Self.ended)
    }

    private static func ended(_ data: Data) -> (times: Int, reason: String)? {
        let lines = String(decoding: data, as: UTF8.self).split(separator: "\n", maxSplits: 1)
        return lines.first.flatMap { Int($0) }.map {
            ($0, lines.last.map { $0.trimmingCharacters(in: .newlines) } ?? "")
        }
    }

    func makeShelf(of place: String) throws {
        try FileManager.default.createDirectory(
            atPath: (place as NSString).deletingLastPathComponent, withIntermediateDirectories: true,
            attributes: [.posixPermissions: 0o700])
    }

    // MARK: - Tidying

    /// The pictures of a drive whose checksums begin alike.
    struct Shelf: Sendable {
        var drive: Int64
        var path: String
    }

    struct Entry: Sendable {
        var path: String
        var checksum: ContentHash
        var bytes: Int64
        /// Seconds since 1970.
        var usedAt: Int64
    }

    /// All shelves there are now.
    func shelves() throws -> [Shelf] {
        try Self.names(in: path).compactMap { Int64($0) }.sorted().flatMap { drive in
            try Self.names(in: "\(path)/\(drive)").map { Shelf(drive: drive, path: "\(path)/\(drive)/\($0)") }
        }
    }

    /// What lies on a shelf; what is called otherwise than pictures are is nobody's.
    func entries(on shelf: Shelf) throws -> [Entry] {
        try Self.names(in: shelf.path).compactMap { name in
            let file = "\(shelf.path)/\(name)"
            var status = stat()
            guard let checksum = ContentHash(hex: name.prefix(64)), stat(file, &status) == 0 else { return nil }
            return Entry(
                path: file, checksum: checksum, bytes: Int64(status.st_size),
                usedAt: Int64(status.st_mtim.tv_sec))
        }
    }

    /// A content of which no picture can be made.
    struct Undrawn: Equatable, Sendable {
        var checksum: ContentHash
        var reason: String
        /// Whether it ended programs, and is given to none any more.
        var isSetAside: Bool
    }

    /// Those on a shelf, each once.
    func undrawn(on shelf: Shelf) throws -> [Undrawn] {
        var found = [ContentHash: Undrawn]()
        for entry in try entries(on: shelf) {
            guard entry.path.hasSuffix(".\(Self.none)") || entry.path.hasSuffix(".\(Self.aside)"),
                let data = FileManager.default.contents(atPath: entry.path)
            else { continue }
            if entry.path.hasSuffix(".\(Self.none)"), found[entry.checksum] == nil {
                found[entry.checksum] = Undrawn(
                    checksum: entry.checksum, reason: String(decoding: data, as: UTF8.self), isSetAside: false)
            } else if entry.path.hasSuffix(".\(Self.aside)"), let ended = Self.ended(data) {
                found[entry.checksum] = Undrawn(
                    checksum: entry.checksum, reason: ended.reason, isSetAside: ended.times >= Self.mostEnded)
            }
        }
        return found.values.sorted { $0.checksum.hex < $1.checksum.hex }
    }

    func remove(_ entry: Entry) throws {
        guard unlink(entry.path) == 0 || errno == ENOENT else {
            throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO)
        }
    }

    /// Takes an empty shelf away, and its drive's folder where that was the last one.
    func removeIfEmpty(_ shelf: Shelf) {
        // What is not empty stays, by what `rmdir` is.
        if rmdir(shelf.path) == 0 { _ = rmdir("\(path)/\(shelf.drive)") }
    }

    private static func names(in folder: String) throws -> [String] {
        guard FileManager.default.fileExists(atPath: folder) else { return [] }
        return try FileManager.default.contentsOfDirectory(atPath: folder)
    }
}
