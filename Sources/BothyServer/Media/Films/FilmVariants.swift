import BothyContent
import BothyContract
import Foundation
import Logging
import NIOPosix

/// Films as every browser plays them, in a few sizes: made beside the request, one at a time, and then kept. A film that was half made
/// when the server ended is none, and is made anew when somebody asks again.
actor FilmVariants {
    /// Bytes of a film that one is made of.
    private static let mostSource: Int64 = 16 << 30
    /// Films that wait to be made, and those of one drive.
    private static let (mostWaiting, mostOfDrive) = (512, 64)
    /// Seconds for which it is not tried again what could not be tried.
    private static let pause: Int64 = 600
    private static let mostPaused = 1000

    private let programs: MediaPrograms
    private let folder: MediaFolder
    private let reader: ContentReader
    private let clock: any ServerClock
    private let logger: Logger
    /// Whether the disk has room for what is only convenient.
    private let hasRoom: @Sendable (Int64) -> Bool
    private let turns: Turns
    private let threads = DrawingThreads(count: 1)
    private var making = Set<FilmKey>()
    /// Until when it is not tried again: seconds since 1970.
    private var paused = [FilmKey: Int64]()
    private var isStopped = false

    init(
        programs: MediaPrograms, folder: MediaFolder, reader: ContentReader, clock: any ServerClock, logger: Logger,
        hasRoom: @escaping @Sendable (Int64) -> Bool
    ) {
        self.programs = programs
        self.folder = folder
        self.reader = reader
        self.clock = clock
        self.logger = logger
        self.hasRoom = hasRoom
        turns = Turns(
            atOnce: 1, mostWaiting: Self.mostWaiting,
            refusal: Problem(.busy, "Too many videos are being prepared."))
    }

    /// Breaks off what is being made.
    func stop() async throws {
        isStopped = true
        try await threads.stop()
    }

    /// What is played in the place of a content.
    enum Played: Sendable {
        case film(FilmFile)
        /// Another one, which is there.
        case other(FilmQuality)
        case itself

        /// The same for a caller that asked for another quality than this is of.
        fileprivate func inPlace(of quality: FilmQuality) -> Played {
            if case .film = self { .other(quality) } else { self }
        }
    }

    /// What is there now; what would be right, and is not, is begun.
    func played(_ content: StoredContent, _ quality: FilmQuality) async throws -> Played {
        let key = FilmKey(drive: content.driveId, checksum: content.checksum, quality: quality)
        switch try await known(key) {
        case .there(let film): return .film(film)
        case .instead(nil): return .itself
        case .instead(let other?): return try await played(content, other).inPlace(of: other)
        case .refused: break
        case nil: begin([quality], of: content, isPatient: false)
        }
        for other in quality.nearest {
            let key = FilmKey(drive: content.driveId, checksum: content.checksum, quality: other)
            if case .there = try await known(key) { return .other(other) }
        }
        return .itself
    }

    /// Begins to make films that will be asked for soon: of each content the most usual first, and the others once all that waits has that.
    func prepare(_ content: StoredContent) {
        guard AttachmentType(mimeType: content.mimeType) == .video else { return }
        begin(FilmQuality.inOrder[...], of: content, isPatient: true)
    }

    private func known(_ key: FilmKey) async throws -> MediaFolder.KnownFilm? {
        let now = clock.now()
        return try await NIOThreadPool.singleton.runIfActive { [folder] in folder.find(key, now: now) }
    }

    // MARK: - Making

    /// One after the other, each behind what waits by then.
    private func begin(_ qualities: ArraySlice<FilmQuality>, of content: StoredContent, isPatient: Bool) {
        guard let quality = qualities.first, programs.makesFilms, !isStopped else { return }
        let key = FilmKey(drive: content.driveId, checksum: content.checksum, quality: quality)
        let isBusy = making.lazy.filter { $0.drive == key.drive }.count >= Self.mostOfDrive
        guard !isBusy, clock.now().seconds >= paused[key] ?? 0, making.insert(key).inserted else { return }
        Task {
            await make(key, of: content, isPatient: isPatient)
            making.remove(key)
            begin(qualities.dropFirst(), of: content, isPatient: isPatient)
        }
    }

    /// Nobody waits for it: what goes wrong is reported to the operator.
    private func make(_ key: FilmKey, of content: StoredContent, isPatient: Bool) async {
        do {
            try await turns.run(isPatient: isPatient) {
                guard await !isStopped, try await known(key) == nil else { return }
                try await make(key, of: content)
            }
        } catch {
            // A server that stops makes nothing more.
            guard !isStopped else { return }
            pause(key)
            logger.warning("A film was not prepared.", metadata: Self.told(key, "\(error)"))
        }
    }

    /// Remembers for a while that it could not be tried.
    private func pause(_ key: FilmKey) {
        if paused.count >= Self.mostPaused { paused.removeAll() }
        paused[key] = clock.now().seconds + Self.pause
    }

    private nonisolated func make(_ key: FilmKey, of content: StoredContent) async throws {
        let beginning = try await reader.beginning(of: content, most: MediaFormat.sampleBytes)
        guard MediaFormat(beginning: beginning) == .film else { return try await onDisk { try $0.note(nil, for: key) } }
        let head =
            FilmReading.isKnown(beginning) ? try await FilmReading(reader: reader, content: content).head() : nil
        switch FilmNeed(key.quality, mimeType: content.mimeType, head: head) {
        case .itself: try await onDisk { try $0.note(nil, for: key) }
        case .smaller(let quality): try await onDisk { try $0.note(quality, for: key) }
        case .made:
            guard content.size <= Self.mostSource else {
                return try await refuse(key, "it has more than \(Self.mostSource >> 30) GiB")
            }
            // Nothing is said of the content by a disk that has no room.
            guard hasRoom(2 * content.size) else { throw Problem(.diskFull, "There is no room to prepare a film.") }
            try await encode(content, key, head)
        }
    }

    private nonisolated func encode(_ content: StoredContent, _ key: FilmKey, _ head: FilmHead?) async throws {
        let work = try await onDisk { try $0.beginWork() }
        do {
            try await encode(content, key, head, in: work)
            try await onDisk { $0.endWork(work) }
        } catch {
            // A pool that is closed is that of a server that stops; the next one begins by tidying.
            try? await onDisk { $0.endWork(work) }
            throw error
        }
    }

    private nonisolated func encode(
        _ content: StoredContent, _ key: FilmKey, _ head: FilmHead?, in work: String
    ) async throws {
        try await WorkFile.make("\(work)/source") { file in
            var place: Int64 = 0
            try await reader.send(try await reader.open(content, range: 0..<content.size)) { piece in
                try await file.write(piece, at: place)
                place += Int64(piece.readableBytes)
            }
        }
        let program = programs.film(
            of: "source", to: "film.mp4", key.quality, durationMs: head?.durationMs, in: work)
        guard let program else { return }
        switch try await threads.run(program) {
        case .done: try await onDisk { try $0.keep(filmAt: "\(work)/film.mp4", as: key) }
        case .refused(let status, let said): try await refuse(key, "ffmpeg said \(status): \(said)")
        // It may be the film's fault or the machine's: tomorrow is soon enough to try again.
        case .brokenOff(let reason): try await refuse(key, "ffmpeg: \(reason)")
        case .notTried(let reason): throw Problem(.busy, reason)
        }
    }

    private nonisolated func refuse(_ key: FilmKey, _ reason: String) async throws {
        logger.info("A content is played as it is.", metadata: Self.told(key, reason))
        try await onDisk { try $0.refuse(key, reason) }
    }

    private static func told(_ key: FilmKey, _ reason: String) -> Logger.Metadata {
        [
            "drive": "\(key.drive)", "checksum": "\(key.checksum.hex)", "quality": "\(key.quality.rawValue)",
            "reason": "\(reason)",
        ]
    }

    private nonisolated func onDisk<Value: Sendable>(
        _ body: @escaping @Sendable (MediaFolder) throws -> Value
    ) async throws -> Value {
        try await NIOThreadPool.singleton.runIfActive { [folder] in try body(folder) }
    }
}
