import BothyContract
import Foundation

/// The programs that make pictures small, as far as this machine has them. They run beside the server and never in it: what they
/// read was made by strangers, and may be made to break them.
package struct MediaPrograms: Sendable {
    /// Quality of WebP, 0 to 100.
    private static let quality = 75
    /// A film begins with what its maker wanted to be seen by rarely: of so many pictures, the most usual one is taken.
    private static let filmPictures = 48

    private let prlimit: String?
    private let vipsthumbnail: String?
    private let ffmpeg: String?

    /// - Parameter folders: where programs lie, the first one counts.
    package init(in folders: [String]) {
        func path(_ name: String) -> String? {
            folders.lazy.map { "\($0)/\(name)" }.first { FileManager.default.isExecutableFile(atPath: $0) }
        }
        prlimit = path("prlimit")
        vipsthumbnail = path("vipsthumbnail")
        ffmpeg = path("ffmpeg")
    }

    /// Those of this machine.
    package static var installed: MediaPrograms {
        let path = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/local/bin:/usr/bin:/bin"
        return MediaPrograms(in: path.split(separator: ":").map(String.init))
    }

    package func draws(_ format: MediaFormat) -> Bool {
        guard prlimit != nil, vipsthumbnail != nil else { return false }
        return format == .picture || ffmpeg != nil
    }

    /// Debian packages that would have to be installed for all of it.
    package var missing: [String] {
        [
            (prlimit == nil, "util-linux"), (vipsthumbnail == nil, "libvips-tools"),
            (ffmpeg == nil, "ffmpeg"),
        ].filter(\.0).map(\.1)
    }

    /// Makes a picture small and upright, in the colours of the web, and without what cameras write into pictures: where they were
    /// taken, by whom and when.
    ///
    /// - Parameters:
    ///   - source, target: names in the folder; `target` ends with `.webp`.
    func shrink(_ source: String, to target: String, _ quality: MediaQuality, in folder: String) -> BoundedProgram? {
        guard let prlimit, let vipsthumbnail else { return nil }
        let (width, height) = quality.box
        let size =
            quality == .thumbnail
            ? ["--size=\(width)x\(height)", "--smartcrop=attention"] : ["--size=\(width)x\(height)>"]
        return BoundedProgram(
            path: vipsthumbnail,
            arguments: ["--vips-concurrency=1", "--export-profile=srgb"] + size
                + ["--output=\(target)[Q=\(Self.quality),strip]", source],
            folder: folder, prlimit: prlimit)
    }

    /// Takes a picture out of a film. It reads the file itself and no other that it may name, in formats that name none.
    func still(of source: String, to target: String, in folder: String) -> BoundedProgram? {
        guard let prlimit, let ffmpeg else { return nil }
        let (width, height) = MediaQuality.high.box
        let filter =
            "scale=w=\'min(\(width),iw)\':h=\'min(\(height),ih)\':force_original_aspect_ratio=decrease,thumbnail=\(Self.filmPictures)"
        return BoundedProgram(
            path: ffmpeg,
            arguments: [
                "-nostdin", "-hide_banner", "-loglevel", "error", "-protocol_whitelist", "file", "-format_whitelist",
                "mov,matroska,avi,ogg", "-threads", "1", "-an", "-sn", "-dn", "-i", "file:\(source)", "-map", "0:v:0",
                "-vf", filter, "-frames:v", "1", "-threads", "1", "-f", "image2", "-c:v", "png", "-y", "file:\(target)",
            ],
            folder: folder, prlimit: prlimit)
    }
}
