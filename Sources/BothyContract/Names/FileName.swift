import Foundation

/// The rules for a name of a file or folder: 1 to 255 UTF-8 bytes after NFC, no `/`, NUL or control characters,
/// not `.` and not `..`.
public enum FileName {
    /// Of UTF-8, after NFC; what most disks take.
    public static let maximumBytes = 255

    /// Why a name cannot be one.
    public enum Fault: Error, Equatable, Sendable {
        case empty
        case tooLong(bytes: Int)
        case dots
        case slash
        case controlCharacter

        /// For a person: the end of the sentence «This name …».
        public var reason: String {
            switch self {
            case .empty: "is empty"
            case .tooLong(let bytes): "is \(bytes) bytes long; \(FileName.maximumBytes) is the most"
            case .dots: "is only dots, which stands for a folder itself or the one above it"
            case .slash: "has a “/” in it, which separates folders"
            case .controlCharacter: "has a control character in it"
            }
        }
    }

    /// The name as it is kept: in Unicode Normalization Form C (UAX #15), with its case kept.
    ///
    /// Two siblings are the same name exactly when their normalised forms have equal bytes.
    public static func normalized(_ name: String) throws(Fault) -> String {
        // ASCII is in its normal form, and most names are ASCII.
        let isASCII = name.utf8.allSatisfy { $0 < 0x80 }
        let composed = isASCII ? name : name.precomposedStringWithCanonicalMapping
        let bytes = composed.utf8.count
        if bytes == 0 { throw .empty }
        if composed == "." || composed == ".." { throw .dots }
        if composed.utf8.contains(UInt8(ascii: "/")) { throw .slash }
        let hasControl =
            isASCII
            ? composed.utf8.contains { $0 < 0x20 || $0 == 0x7F }
            : composed.unicodeScalars.contains { $0.properties.generalCategory == .control }
        if hasControl { throw .controlCharacter }
        if bytes > maximumBytes { throw .tooLong(bytes: bytes) }
        return composed
    }

    /// «report.pdf» with its counter: «report (1).pdf». The stem gives way where 255 bytes are not enough.
    public static func numbered(_ name: String, _ counter: Int) -> String { tailed(name, " (\(counter))") }

    /// «report (damaged).pdf»: what a disk has left of it.
    public static func damaged(_ name: String) -> String { tailed(name, " (damaged)") }

    /// «report (kitchen's conflict 2026-11-20).pdf», and with a number from the second on. The stem gives way where 255
    /// bytes are not enough.
    ///
    /// - Parameters:
    ///   - device: what its owner calls it, which may be anything.
    ///   - day: as `2026-11-20`.
    ///   - attempt: 0 for the first such name.
    public static func conflict(_ name: String, device: String, day: String, attempt: Int = 0) -> String {
        let number = attempt == 0 ? "" : " \(attempt + 1)"
        return tailed(name, " (\(plain(device))'s conflict \(day)\(number))")
    }

    /// Of a device's name, in the name of a file.
    private static let mostOfADevice = 40

    private static func plain(_ device: String) -> String {
        let safe = device.unicodeScalars.filter { $0 != "/" && $0.properties.generalCategory != .control }
        return String(String(String.UnicodeScalarView(safe)).prefix(mostOfADevice))
    }

    private static func tailed(_ name: String, _ mark: String) -> String {
        let (stem, suffix) = split(name)
        let tail = mark + suffix
        var kept = stem
        while kept.utf8.count + tail.utf8.count > maximumBytes, !kept.isEmpty { kept.removeLast() }
        return kept + tail
    }

    /// Splits before the last dot, unless that dot begins the name or more than 16 bytes follow it.
    public static func split(_ name: String) -> (stem: String, suffix: String) {
        guard let dot = name.lastIndex(of: "."), dot != name.startIndex,
            name[dot...].utf8.count <= 17, name[dot...].utf8.count > 1
        else { return (name, "") }
        return (String(name[..<dot]), String(name[dot...]))
    }
}
