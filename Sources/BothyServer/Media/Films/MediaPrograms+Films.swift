import BothyContract
import Foundation
import NIOCore

extension MediaPrograms {
    /// Whether films can be made.
    var makesFilms: Bool { ffmpeg != nil }

    /// Makes a film that every browser plays, no larger than it was, upright, with what a player needs first at its beginning, and without
    /// what cameras and programs write into films.
    ///
    /// - Parameters:
    ///   - source, target: names in the folder.
    ///   - durationMs: how long it is; nil where that is not known.
    func film(
        of source: String, to target: String, _ quality: FilmQuality, durationMs: Int64?, in folder: String
    ) -> BoundedProgram? {
        // Half the machine stays for everything else.
        let threads = max(1, System.coreCount / 2)
        let rate = Self.kilobits(quality)
        let pictures = [
            "-vf", Self.scale(quality), "-threads", "\(threads)", "-c:v", "libx264", "-preset", "veryfast",
            "-profile:v",
            "high", "-pix_fmt", "yuv420p", "-crf", "23", "-maxrate", "\(rate)k", "-bufsize", "\(2 * rate)k", "-g",
            "120",
        ]
        let sound = ["-c:a", "aac", "-b:a", "128k", "-ac", "2"]
        let bare = [
            "-sn", "-dn", "-map_metadata", "-1", "-map_chapters", "-1", "-fflags", "+bitexact", "-flags:v", "+bitexact",
            "-flags:a", "+bitexact",
        ]
        return ffmpeg.map {
            BoundedProgram(
                path: $0,
                arguments: Self.reading + [
                    "-threads", "\(threads)", "-max_pixels", "\(Self.mostFilmPoints)", "-i", "file:\(source)",
                    "-map", "0:v:0", "-map", "0:a:0?",
                ] + bare + pictures + sound + ["-movflags", "+faststart", "-f", "mp4", "-y", "file:\(target)"],
                folder: folder, bounds: .film(durationMs: durationMs, threads: threads), confinement: confinement)
        }
    }

    /// The shorter side has so many points at most, and both are even, as H.264 wants them.
    private static func scale(_ quality: FilmQuality) -> String {
        func shorter(_ side: String) -> String { "trunc(min(\(quality.lines),\(side))/2)*2" }
        return "scale=w='if(gte(iw,ih),-2,\(shorter("iw")))':h='if(gte(iw,ih),\(shorter("ih")),-2)',setsar=1"
    }

    /// Of the pictures, at most, in a second.
    private static func kilobits(_ quality: FilmQuality) -> Int {
        switch quality {
        case .p360: 800
        case .p720: 2500
        case .p1080: 5000
        }
    }
}

extension BoundedProgram.Bounds {
    /// One film. It may take ten times as long as it plays, and some minutes.
    static func film(durationMs: Int64?, threads: Int) -> BoundedProgram.Bounds {
        let least: Int64 = 600
        let most: Int64 = 6 * 3600
        let seconds = min(most, least + 10 * (durationMs ?? most * 1000) / 1000)
        return BoundedProgram.Bounds(
            memory: 3 << 30, written: 8 << 30, work: UInt64(seconds) * UInt64(threads), time: Int32(seconds * 1000),
            niceness: 15)
    }
}
