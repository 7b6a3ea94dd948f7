import BothyContract
import NIOCore

/// What stands beside people's names: a small square of the picture that they have chosen, or the initials of their names.
package struct Faces: Sendable {
    package struct Shown: Sendable {
        package var bytes: ByteBuffer
        package var mimeType: String
        /// As `ETag` has it.
        var tag: String
        /// Whether it is the one that was asked for, and not another that is there already.
        var isExact = true
    }

    private let people: People
    private let media: MediaVariants

    init(people: People, media: MediaVariants) {
        self.people = people
        self.media = media
    }

    /// For who takes what every browser takes.
    ///
    /// - Throws: `not_found`; `busy`.
    package func shown(of id: Int64, for caller: Caller) async throws -> Shown {
        try await shown(of: id, .webp, for: caller)
    }

    /// - Throws: `not_found`; `busy`.
    func shown(of id: Int64, _ encoding: PictureEncoding, for caller: Caller) async throws -> Shown {
        let face = try await people.face(of: id, for: caller)
        guard let content = face.picture, let version = face.version else { return Self.drawn(face.initials) }
        do {
            let picture = try await media.picture(of: content, .thumbnail, encoding)
            return Shown(
                bytes: ByteBuffer(bytes: picture.bytes), mimeType: encoding.mimeType,
                tag: "W/\"\(version)-\(encoding.rawValue)\"", isExact: picture.isExact)
        } catch let problem as Problem where problem.code == .noPreview {
            // What cannot be drawn small is shown to nobody as it is: it may say where it was taken.
            return Self.drawn(face.initials)
        }
    }

    private static func drawn(_ initials: Initials) -> Shown {
        let letters = initials.text.unicodeScalars.map { String($0.value, radix: 16) }
        return Shown(
            bytes: ByteBuffer(string: initials.svg), mimeType: "image/svg+xml",
            tag: "\"\(initials.tint)-\(letters.joined(separator: "-"))\"")
    }
}
