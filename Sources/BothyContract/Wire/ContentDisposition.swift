/// How a browser is told to treat stored content: by name and type, and never as a page of ours.
package enum ContentDisposition {
    /// What may be shown in place: pictures, sound, film and plain text, and PDF. Nothing that runs.
    private static let inlineTypes: Set<String> = [
        "image/png", "image/jpeg", "image/gif", "image/webp", "image/avif", "image/bmp", "text/plain",
        "application/pdf",
        "audio/mpeg", "audio/mp4", "audio/ogg", "audio/flac", "audio/wav", "audio/aac", "video/mp4", "video/webm",
        "video/ogg",
    ]

    /// `inline` or `attachment` with the name, in ASCII for old readers (RFC 6266) and whole for the others (RFC 8187).
    ///
    /// - Parameter isDownload: it is to be kept as a file, whatever it is.
    package static func header(name: String, mimeType: String, isDownload: Bool = false) -> String {
        let kind = !isDownload && inlineTypes.contains(essence(of: mimeType)) ? "inline" : "attachment"
        return "\(kind); filename=\"\(asciiName(name))\"; filename*=UTF-8''\(percentEncoded(name))"
    }

    /// The type that stored content is served as: where its name and type together say that it is something which may be
    /// shown in place, that; else the type as it was stored.
    package static func servedType(_ mimeType: String, named name: String) -> String {
        let told = MediaType.told(mimeType, named: name)
        return inlineTypes.contains(told) && essence(of: mimeType) != told ? told : mimeType
    }

    /// The type as a header may carry it; `application/octet-stream` for what is none.
    package static func mimeType(_ text: String) -> String {
        let isToken: (Substring) -> Bool = { !$0.isEmpty && $0.utf8.allSatisfy(tokenBytes.contains) }
        let essence = text.prefix { $0 != ";" }.split(separator: "/", omittingEmptySubsequences: false)
        let isPrintable = text.utf8.allSatisfy { (0x20...0x7E).contains($0) }
        guard isPrintable, essence.count == 2, isToken(essence[0]), isToken(trimmed(essence[1])) else {
            return File.defaultMimeType
        }
        return text
    }

    package static func essence(of mimeType: String) -> String {
        trimmed(mimeType.prefix { $0 != ";" }).lowercased()
    }

    private static func trimmed(_ text: Substring) -> Substring {
        var text = text
        while text.last == " " { text.removeLast() }
        return text
    }

    private static func asciiName(_ name: String) -> String {
        String(
            String.UnicodeScalarView(
                name.unicodeScalars.map { scalar in
                    let isSafe =
                        (0x20...0x7E).contains(scalar.value) && scalar != "\"" && scalar != "\\" && scalar != "%"
                    return isSafe ? scalar : "_"
                }))
    }

    private static func percentEncoded(_ name: String) -> String {
        var text = ""
        for byte in name.utf8 {
            if attributeBytes.contains(byte) {
                text.unicodeScalars.append(Unicode.Scalar(byte))
            } else {
                text += "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
            }
        }
        return text
    }

    /// `token` of RFC 9110 §5.6.2.
    private static let tokenBytes = Set(
        Array("!#$%&'*+-.^_`|~0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ".utf8))
    /// `attr-char` of RFC 8187 §3.2.1.
    private static let attributeBytes = Set(
        Array("!#$&+-.^_`|~0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ".utf8))
}
