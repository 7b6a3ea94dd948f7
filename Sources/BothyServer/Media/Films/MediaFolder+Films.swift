import BothyContract
import Foundation

/// One prepared film: of which content of which drive, and how large.
struct FilmKey: Hashable, Sendable {
    var drive: Int64
    var checksum: ContentHash
    var quality: FilmQuality
}

/// Where prepared films lie: beside the pictures, under the same cap.
extension MediaFolder {
    private static let film = "mp4"
    private static let instead = "instead"

    enum KnownFilm: Sendable {
        case there(FilmFile)
        /// Another film is as large already; nil where the content serves by itself.
        case instead(FilmQuality?)
        case refused
    }

    /// What is known of a film; nil where it has to be made.
    func find(_ key: FilmKey, now: Timestamp) -> KnownFilm? {
        let place = place(of: key)
        // A crash may leave a file without its bytes.
        if let film = FilmFile(path: "\(place).\(Self.film)") {
            noteUse(of: film.path, now)
            return .there(film)
        }
        if let instead = FileManager.default.contents(atPath: "\(place).\(Self.instead)") {
            return .instead(FilmQuality(rawValue: String(decoding: instead, as: UTF8.self)))
        }
        if let ended = ended(key.drive, key.checksum), ended.times >= Self.mostEnded { return .refused }
        guard let refused = Self.changed("\(place).\(Self.none)") else { return nil }
        return now.seconds - refused < Self.refusalHolds ? .refused : nil
    }

    /// Keeps a film that was made in a work folder: what is not whole never has its name.
    func keep(filmAt path: String, as key: FilmKey) throws {
        let place = place(of: key)
        try makeShelf(of: place)
        guard rename(path, "\(place).\(Self.film)") == 0 else {
            throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO)
        }
        // A film that is there counts, whatever lies beside it.
        try? FileManager.default.removeItem(atPath: "\(place).\(Self.none)")
    }

    /// Remembers what serves in its place: another film, or the content by itself.
    func note(_ instead: FilmQuality?, for key: FilmKey) throws {
        let place = place(of: key)
        try makeShelf(of: place)
        try Data((instead?.rawValue ?? "").utf8).write(to: URL(fileURLWithPath: "\(place).\(Self.instead)"))
    }

    /// Remembers for a day that none could be made.
    func refuse(_ key: FilmKey, _ reason: String) throws {
        let place = place(of: key)
        try makeShelf(of: place)
        try Data(reason.utf8).write(to: URL(fileURLWithPath: "\(place).\(Self.none)"))
    }

    private func place(of key: FilmKey) -> String {
        "\(place(of: key.checksum, in: key.drive))-\(key.quality.rawValue)"
    }
}
