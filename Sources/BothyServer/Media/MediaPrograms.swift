import BothyContract
import Foundation

/// The programs that make pictures small, as far as this machine has them. They run beside the server and never in it: what they
/// read was made by strangers, and may be made to break them.
package struct MediaPrograms: Sendable {
    /// Quality of WebP and JPEG, 0 to 100.
    private static let quality = 75
    /// A film begins with what its maker wanted to be seen by rarely: of so many pictures, the most usual one is taken.
    private static let filmPictures = 48
    /// Points that a picture may have: what is larger is not given to any program. The largest cameras of phones make 200 million.
    static let mostPoints = 300_000_000
    /// Points of each picture of a film.
    static let mostFilmPoints = 9000 * 5000

    let ffmpeg: String?
    let confinement: Confinement
    private let vipsthumbnail: String?
    private let pdftoppm: String?

    /// - Parameter folders: where programs lie, the first one counts.
    package init(in folders: [String]) {
        func path(_ name: String) -> String? {
            folders.lazy.map { "\($0)/\(name)" }.first { FileManager.default.isExecutableFile(atPath: $0) }
        }
        vipsthumbnail = path("vipsthumbnail")
        ffmpeg = path("ffmpeg")
        pdftoppm = path("pdftoppm")
        confinement = Confinement.best(bubblewrap: path("bwrap"))
    }

    /// Those of this machine.
    package static var installed: MediaPrograms {
        let path = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/local/bin:/usr/bin:/bin"
        return MediaPrograms(in: path.split(separator: ":").map(String.init))
    }

    package func draws(_ format: MediaFormat) -> Bool {
        guard vipsthumbnail != nil else { return false }
        return switch format {
        case .picture: true
        case .film: ffmpeg != nil
        case .document: pdftoppm != nil
        }
    }

    /// Debian packages that would have to be installed for all of it.
    package var missing: [String] {
        [
            (vipsthumbnail == nil, "libvips-tools"), (ffmpeg == nil, "ffmpeg"), (pdftoppm == nil, "poppler-utils"),
            (confinement == .none, "bubblewrap"),
        ].filter(\.0).map(\.1)
    }

    /// Makes a picture small and upright, in the colours of the web, and without what cameras write into pictures: where they were
    /// taken, by whom and when.
    ///
    /// - Parameters:
    ///   - source, target: names in the folder; `target` ends with `.webp` or `.jpg`.
    func shrink(_ source: String, to target: String, _ quality: MediaQuality, in folder: String) -> BoundedProgram? {
        let (width, height) = quality.box
        let size =
            quality == .thumbnail
            ? ["--size=\(width)x\(height)", "--smartcrop=attention"] : ["--size=\(width)x\(height)>"]
        let background = target.hasSuffix(".jpg") ? ",background=255" : ""
        return thumbnail(size + ["--output=\(target)[Q=\(Self.quality),strip\(background)]", source], in: folder)
    }

    /// Makes of a picture what a placeholder is reckoned from: its points, on a white ground.
    ///
    /// - Parameter target: ends with `.ppm`.
    func sample(_ source: String, to target: String, in folder: String) -> BoundedProgram? {
        thumbnail(["--size=32x32>", "--output=\(target)[background=255]", source], in: folder)
    }

    private func thumbnail(_ arguments: [String], in folder: String) -> BoundedProgram? {
        vipsthumbnail.map {
            BoundedProgram(
                path: $0, arguments: ["--vips-concurrency=1", "--export-profile=srgb"] + arguments, folder: folder,
                confinement: confinement)
        }
    }

    /// Takes a picture out of a film. It reads the file itself and no other that it may name, in formats that name none.
    func still(of source: String, to target: String, in folder: String) -> BoundedProgram? {
        let (width, height) = MediaQuality.high.box
        let filter =
            "scale=w=\'min(\(width),iw)\':h=\'min(\(height),ih)\':force_original_aspect_ratio=decrease,thumbnail=\(Self.filmPictures)"
        return ffmpeg.map {
            BoundedProgram(
                path: $0,
                arguments: Self.reading + [
                    "-threads", "1", "-max_pixels", "\(Self.mostFilmPoints)", "-an", "-sn", "-dn", "-i",
                    "file:\(source)", "-map",
                    "0:v:0", "-vf", filter, "-frames:v", "1", "-threads", "1", "-f", "image2", "-c:v", "png", "-y",
                    "file:\(target)",
                ],
                folder: folder, confinement: confinement)
        }
    }

    /// Draws the first page of a document, as PNG.
    ///
    /// - Parameter target: without its end, which is `.png`.
    func page(of source: String, to target: String, in folder: String) -> BoundedProgram? {
        pdftoppm.map {
            BoundedProgram(
                path: $0,
                arguments: ["-f", "1", "-l", "1", "-singlefile", "-scale-to", "1440", "-png", source, target],
                folder: folder, confinement: confinement)
        }
    }

    /// How ffmpeg reads what strangers made.
    static let reading = [
        "-nostdin", "-hide_banner", "-loglevel", "error", "-protocol_whitelist", "file", "-format_whitelist",
        "mov,matroska,avi,ogg",
    ]
}
