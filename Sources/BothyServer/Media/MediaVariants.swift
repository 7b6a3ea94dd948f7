import BothyContent
import BothyContract
import Foundation
import Logging
import NIOCore
import NIOPosix

/// Small pictures of what people keep: made when somebody asks for one first, a few at a time, and then kept.
package actor MediaVariants {
    /// Bytes of a picture that one is made of; of a film, its beginning and its end are enough.
    private static let mostPicture: Int64 = 256 << 20
    private static let filmBeginning: Int64 = 96 << 20
    private static let filmEnd: Int64 = 32 << 20
    /// Bytes of what is drawn: no device takes more.
    private static let mostDrawn = 4 << 20
    /// Pictures that wait to be made, beyond those that are; each is asked for by a browser that waits.
    private static let mostWaiting = 512
    /// Those of one drive: one that is full of what takes long keeps the others waiting for so many alone.
    private static let mostOfDrive = 64
    /// Programs at once: each may take 2 GiB.
    private static let mostAtOnce = 2
    /// Seconds for which it is not tried again what was broken off.
    private static let brokenHolds: Int64 = 600
    private static let mostBroken = 1000

    /// How contents are shown to people who read them in posts.
    nonisolated let cleaning: ContentCleaning
    nonisolated let films: FilmVariants
    let programs: MediaPrograms
    let folder: MediaFolder
    let database: any Database
    let reader: ContentReader
    /// Whether the disk has room for what is only convenient.
    let hasRoom: @Sendable (Int64) -> Bool
    private let clock: any ServerClock
    let turns: Turns
    let threads: DrawingThreads
    private let logger: Logger
    private var making = [MediaKey: Task<[UInt8], any Error>]()
    /// Until when it is not tried again: seconds since 1970.
    private var broken = [MediaKey: Int64]()
    private var isStopped = false

    init(
        programs: MediaPrograms, folder: MediaFolder, database: any Database, reader: ContentReader,
        clock: any ServerClock, logger: Logger, hasRoom: @escaping @Sendable (Int64) -> Bool
    ) {
        self.programs = programs
        self.folder = folder
        self.database = database
        self.reader = reader
        self.clock = clock
        self.logger = logger
        self.hasRoom = hasRoom
        // Half the machine stays for everything else.
        let atOnce = min(Self.mostAtOnce, max(1, System.coreCount / 2))
        turns = Turns(atOnce: atOnce, mostWaiting: Self.mostWaiting, refusal: Self.busy)
        threads = DrawingThreads(count: atOnce)
        films = FilmVariants(
            programs: programs, folder: folder, reader: reader, clock: clock, logger: logger, hasRoom: hasRoom)
        cleaning = ContentCleaning(MappedContent(folder: folder, reader: reader, hasRoom: hasRoom))
    }

    /// Breaks off what is being made: a server that stops waits for no picture.
    package func stop() async throws {
        guard !isStopped else { return }
        isStopped = true
        do {
            try await threads.stop()
        } catch {
            try await films.stop()
            throw error
        }
        try await films.stop()
    }

    /// Whether a picture can be expected of content of this media type.
    package nonisolated func draws(_ mimeType: String) -> Bool {
        MediaFormat(mimeType: mimeType).map(programs.draws) ?? false
    }

    /// Debian packages that would have to be installed for all small pictures.
    package nonisolated var missing: [String] { programs.missing }

    /// What is shown in the place of a content.
    struct Picture: Sendable {
        var bytes: [UInt8]
        /// Whether it is the one that was asked for, and not another that is there already.
        var isExact = true
    }

    /// A picture of the content; where it cannot be made now, the nearest that is there.
    ///
    /// - Throws: `no_preview` where none can be made; `busy`; what reading the content throws.
    func picture(
        of content: StoredContent, _ quality: MediaQuality, _ encoding: PictureEncoding = .webp
    ) async throws -> Picture {
        let key = MediaKey(drive: content.driveId, checksum: content.checksum, quality: quality, encoding: encoding)
        switch try await known(key) {
        case .picture(let bytes): return Picture(bytes: bytes)
        case .refused: throw Self.none
        case nil: break
        }
        do {
            return Picture(bytes: try await made(key, of: content))
        } catch let problem as Problem where problem.code == .busy {
            guard let bytes = try await nearest(key) else { throw problem }
            return Picture(bytes: bytes, isExact: false)
        }
    }

    /// Begins to make pictures that will be asked for soon, and continues without keeping the caller waiting. What somebody looks at goes
    /// first.
    package nonisolated func prepare(_ qualities: [MediaQuality], ofRevisions revisions: [String], of drive: Int64) {
        Task {
            for revision in revisions {
                for quality in qualities {
                    // Nobody waits for it: what fails now fails again when it is asked for, and is told then.
                    _ = try? await prepare(quality, revision, drive)
                }
            }
        }
    }

    /// The same of films, whatever else the revisions are.
    package nonisolated func prepareFilms(ofRevisions revisions: [String], of drive: Int64) {
        Task {
            for revision in revisions {
                // Nobody waits for it: what is not found now is asked for when it is played.
                let content = try? await database.read {
                    try StoredContent.find(revisionId: revision, in: $0, drive: drive)
                }
                if let content { await films.prepare(content) }
            }
        }
    }

    /// The picture that is there, or else one that is made now, for a caller that has its turn already.
    ///
    /// - Throws: as ``picture(of:_:_:)``.
    func drawn(_ key: MediaKey, of content: StoredContent) async throws -> [UInt8] {
        switch try await known(key) {
        case .picture(let bytes): return bytes
        case .refused: throw Self.none
        case nil: return try await made(key, of: content, hasTurn: true)
        }
    }

    private nonisolated func prepare(_ quality: MediaQuality, _ revision: String, _ drive: Int64) async throws {
        let content = try await database.read { try StoredContent.find(revisionId: revision, in: $0, drive: drive) }
        guard draws(content.mimeType) else { return }
        let key = MediaKey(drive: drive, checksum: content.checksum, quality: quality)
        try await turns.run(isPatient: true) {
            guard try await known(key) == nil else { return }
            _ = try await made(key, of: content, hasTurn: true)
        }
    }

    private static var none: Problem {
        Problem(.noPreview, "There is no thumbnail of this content. The content itself is available.")
    }

    private static var busy: Problem {
        Problem(.busy, "Too many pictures are being prepared. Try again in a few seconds.")
    }

    private func known(_ key: MediaKey) async throws -> MediaFolder.Known? {
        let now = clock.now()
        return try await NIOThreadPool.singleton.runIfActive { [folder] in folder.find(key, now: now) }
    }

    private func nearest(_ key: MediaKey) async throws -> [UInt8]? {
        let now = clock.now()
        return try await NIOThreadPool.singleton.runIfActive { [folder] in folder.nearest(key, now: now) }
    }

    // MARK: - Making

    /// One for all who ask for it meanwhile, and the first to ask may have gone.
    ///
    /// - Parameter hasTurn: whether it is the caller's turn already.
    private func made(_ key: MediaKey, of content: StoredContent, hasTurn: Bool = false) async throws -> [UInt8] {
        if let task = making[key] { return try await task.value }
        guard clock.now().seconds >= broken[key] ?? 0 else { throw Self.none }
        guard hasTurn || making.keys.lazy.filter({ $0.drive == key.drive }).count < Self.mostOfDrive else {
            throw Self.busy
        }
        let task = Task {
            defer { making[key] = nil }
            return hasTurn
                ? try await begin(key, of: content) : try await turns.run { try await self.begin(key, of: content) }
        }
        making[key] = task
        return try await task.value
    }

    private func begin(_ key: MediaKey, of content: StoredContent) async throws -> [UInt8] {
        // Those who waited until now wait no longer.
        guard !isStopped else { throw Problem(.shuttingDown, "The server is being stopped.") }
        return try await make(key, of: content)
    }

    /// Remembers for a while that a program did not come to its end.
    private func noteBroken(_ key: MediaKey) {
        if broken.count >= Self.mostBroken { broken.removeAll() }
        broken[key] = clock.now().seconds + Self.brokenHolds
    }

    private nonisolated func make(_ key: MediaKey, of content: StoredContent) async throws -> [UInt8] {
        let beginning = try await reader.beginning(of: content, most: MediaFormat.sampleBytes)
        guard let format = MediaFormat(beginning: beginning), programs.draws(format),
            format == .film || content.size <= Self.mostPicture
        else { throw Self.none }
        let parts = Self.parts(of: content.size, format)
        // Nothing is said of the content by a disk that has no room.
        guard hasRoom(parts.reduce(0) { $0 + Int64($1.count) }) else { throw Self.none }
        do {
            let work = try await NIOThreadPool.singleton.runIfActive { [folder] in try folder.beginWork() }
            do {
                let picture = try await draw(content, parts, format, key, in: work)
                await endWork(work)
                return picture
            } catch {
                await endWork(work)
                throw error
            }
        } catch let error where error is POSIXError || error is CocoaError {
            // Pictures are only convenient: what keeps them from being made is reported to the operator, and stops nothing else.
            logger.warning("A small picture could not be made or kept.", metadata: ["reason": "\(error)"])
            throw Self.none
        }
    }

    nonisolated func endWork(_ work: String) async {
        // A pool that is closed is that of a server that stops; the next one begins by tidying.
        try? await NIOThreadPool.singleton.runIfActive { [folder] in folder.endWork(work) }
    }

    /// What is read of a content. What a film is like stands at its beginning or at its end.
    static func parts(of size: Int64, _ format: MediaFormat) -> [Range<Int64>] {
        guard format == .film, size > filmBeginning + filmEnd else { return [0..<size] }
        return [0..<filmBeginning, size - filmEnd..<size]
    }

    private nonisolated func draw(
        _ content: StoredContent, _ parts: [Range<Int64>], _ format: MediaFormat, _ key: MediaKey, in work: String
    ) async throws -> [UInt8] {
        var source = "source"
        try await WorkFile.make("\(work)/\(source)") { file in
            for part in parts {
                var place = part.lowerBound
                try await reader.send(try await reader.open(content, range: part)) { piece in
                    try await file.write(piece, at: place)
                    place += Int64(piece.readableBytes)
                }
            }
        }
        switch format {
        case .picture: try await checkHead(of: "\(work)/\(source)", key)
        case .film:
            try await run(programs.still(of: source, to: "still.png", in: work), key, content)
            source = "still.png"
        case .document:
            try await run(programs.page(of: source, to: "still", in: work), key, content)
            source = "still.png"
        }
        let target = "picture.\(key.encoding.rawValue)"
        try await run(programs.shrink(source, to: target, key.quality, in: work), key, content)
        guard let picture = try await drawn(by: key.encoding, "\(work)/\(target)") else {
            try await refuse(key, "what was drawn is no picture")
        }
        do {
            try await NIOThreadPool.singleton.runIfActive { [folder] in try folder.keep(picture, as: key, in: work) }
        } catch let error where error is POSIXError || error is CocoaError {
            // It is there, and is made again the next time.
            logger.warning("A small picture could not be kept.", metadata: ["reason": "\(error)"])
        }
        return picture
    }

    /// A program is given no picture that would take all memory, and none of which that is not known.
    ///
    /// - Throws: `no_preview`.
    private nonisolated func checkHead(of file: String, _ key: MediaKey) async throws {
        let head = try await NIOThreadPool.singleton.runIfActive {
            // Nothing else writes it: what is mapped stays as it is.
            try Data(contentsOf: URL(fileURLWithPath: file), options: .alwaysMapped)
                .withUnsafeBytes { PictureHead.read(MediaBytes($0)) }
        }
        guard let head else { try await refuse(key, "its head cannot be read") }
        guard head.points <= MediaPrograms.mostPoints else {
            try await refuse(key, "it has \(head.points) points; \(MediaPrograms.mostPoints) are drawn at most")
        }
    }

    private nonisolated func refuse(_ key: MediaKey, _ reason: String) async throws -> Never {
        logger.info("No small picture can be made of a content.", metadata: Self.told(key, reason))
        try await NIOThreadPool.singleton.runIfActive { [folder] in try folder.refuse(key, reason) }
        throw Self.none
    }

    private static func told(_ key: MediaKey, _ reason: String) -> Logger.Metadata {
        ["drive": "\(key.drive)", "checksum": "\(key.checksum.hex)", "reason": "\(reason)"]
    }

    /// Nil for what is larger than small pictures are.
    private nonisolated func drawn(by encoding: PictureEncoding, _ path: String) async throws -> [UInt8]? {
        try await NIOThreadPool.singleton.runIfActive {
            var status = stat()
            guard stat(path, &status) == 0, status.st_size <= Self.mostDrawn else { return nil }
            return FileManager.default.contents(atPath: path).flatMap { encoding.bare(Array($0)) }
        }
    }

    /// - Throws: `no_preview` where it has not done it.
    private nonisolated func run(_ program: BoundedProgram?, _ key: MediaKey, _ content: StoredContent) async throws {
        guard let program else { throw Self.none }
        switch try await threads.run(program) {
        case .done: return
        case .refused(let status, let said):
            try await refuse(key, "\((program.path as NSString).lastPathComponent) said \(status): \(said)")
        case .brokenOff(let reason):
            let reason = "\((program.path as NSString).lastPathComponent): \(reason)"
            let isSetAside = try await NIOThreadPool.singleton.runIfActive { [folder] in
                try folder.noteEnd(key.drive, key.checksum, reason)
            }
            logger.warning(
                isSetAside
                    ? "A content was set aside: it ends programs that draw."
                    : "A small picture was not made: its program did not come to its end.",
                metadata: Self.told(key, reason))
            await noteBroken(key)
        case .notTried(let reason):
            logger.warning("A small picture was not made.", metadata: Self.told(key, reason))
            await noteBroken(key)
        }
        throw Self.none
    }
}
