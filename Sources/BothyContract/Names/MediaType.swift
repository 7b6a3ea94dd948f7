/// What a file's name says of the kind of its content.
public enum MediaType {
    /// The media type that a name stands for, by its end or, as `Makefile`, as a whole, whichever case it is written in; nil
    /// where it stands for none.
    ///
    /// The types are those of IANA's registry (https://www.iana.org/assignments/media-types), and where it has none, those
    /// that browsers know. Nobody looks into the content: a type is a hint for the app that shows the file.
    public static func of(_ name: String) -> String? {
        guard let dot = name.utf8.lastIndex(of: UInt8(ascii: ".")), dot != name.utf8.startIndex else {
            return byName[name.lowercased()]
        }
        return byExtension[name[name.utf8.index(after: dot)...].lowercased()]
    }

    /// Whether content is a text that words are sought in: prose, notes, source code, tables and pages as they are written.
    ///
    /// - Parameter name: says it where the type says nothing.
    public static func isText(_ type: String, named name: String) -> Bool {
        let told = told(type, named: name)
        return told.hasPrefix("text/") || texts.contains(told) || told.hasSuffix("+json") || told.hasSuffix("+xml")
    }

    /// The type of a content, by the name that the registry has for it and without parameters.
    ///
    /// Browsers guess the type by the name, each by a list of its own: one calls a song `audio/x-m4a`, another says nothing
    /// of a `.sql`. So spellings that mean the same are one, and what says nothing, or is not known here, gives way to what
    /// the name says. A text stays a text, of the kind that its name says.
    public static func told(_ type: String, named name: String) -> String {
        let said = registered(type)
        if said == "text/plain" { return of(name).flatMap { isText($0, named: "") ? $0 : nil } ?? said }
        guard said.isEmpty || said == File.defaultMimeType || !known.contains(said) else { return said }
        return of(name) ?? said
    }

    /// The name that the registry has for a type which has several, without parameters.
    private static func registered(_ type: String) -> String {
        let essence = essence(type)
        return otherSpellings[essence] ?? essence
    }

    /// Whether content may be a text, whatever it is called.
    public static func mayBeText(_ type: String) -> Bool {
        let essence = registered(type)
        return essence.isEmpty || essence == File.defaultMimeType || isText(essence, named: "")
    }

    /// Without parameters, as types are compared.
    private static func essence(_ type: String) -> String {
        // As nearly all are spelled already.
        if type.utf8.allSatisfy({ (0x21...0x7E).contains($0) && $0 != UInt8(ascii: ";") && !(0x41...0x5A).contains($0) }
        ) {
            return type
        }
        return type.prefix { $0 != ";" }.lowercased().filter { $0 != " " }
    }

    private static let texts: Set<String> = [
        "application/json", "application/xml", "application/yaml", "application/toml", "application/javascript",
        "application/sql", "application/x-sh", "application/x-ndjson",
    ]

    /// Types that are told apart here.
    private static let known = Set(byExtension.values).union(byName.values).union(texts).union([
        "video/3gpp", "image/jxl",
    ])

    /// What browsers and systems call a type besides the name that the registry has for it.
    private static let otherSpellings: [String: String] = [
        // Pictures.
        "image/jpg": "image/jpeg", "image/pjpeg": "image/jpeg", "image/x-png": "image/png",
        "image/x-ms-bmp": "image/bmp",
        "image/x-bmp": "image/bmp", "image/x-icon": "image/vnd.microsoft.icon", "image/svg": "image/svg+xml",
        "image/tif": "image/tiff", "image/x-tiff": "image/tiff",
        // Sound.
        "audio/x-wav": "audio/wav", "audio/wave": "audio/wav", "audio/vnd.wave": "audio/wav",
        "audio/x-pn-wav": "audio/wav",
        "audio/x-m4a": "audio/mp4", "audio/m4a": "audio/mp4", "audio/mp4a-latm": "audio/mp4", "audio/mp3": "audio/mpeg",
        "audio/x-mp3": "audio/mpeg", "audio/x-mpeg": "audio/mpeg", "audio/mpeg3": "audio/mpeg",
        "audio/x-flac": "audio/flac", "audio/x-aac": "audio/aac", "audio/aacp": "audio/aac", "audio/opus": "audio/ogg",
        "audio/x-ogg": "audio/ogg", "audio/vorbis": "audio/ogg", "application/ogg": "audio/ogg",
        "audio/x-midi": "audio/midi",
        // Films.
        "video/x-m4v": "video/mp4", "video/x-matroska": "video/matroska", "video/avi": "video/x-msvideo",
        "video/msvideo": "video/x-msvideo", "video/vnd.avi": "video/x-msvideo", "video/x-ogg": "video/ogg",
        // Text.
        "text/x-markdown": "text/markdown", "text/x-web-markdown": "text/markdown",
        "application/x-yaml": "application/yaml",
        "text/yaml": "application/yaml", "text/x-yaml": "application/yaml", "text/xml": "application/xml",
        "text/json": "application/json", "application/x-json": "application/json", "text/x-toml": "application/toml",
        "application/javascript": "text/javascript", "application/x-javascript": "text/javascript",
        "application/ecmascript": "text/javascript", "application/typescript": "text/x-typescript",
        "application/x-typescript": "text/x-typescript", "application/csv": "text/csv", "text/x-csv": "text/csv",
        "text/comma-separated-values": "text/csv", "application/x-sh": "text/x-shellscript",
        "application/x-shellscript": "text/x-shellscript", "text/x-sh": "text/x-shellscript",
        "application/x-bat": "text/x-bat", "application/sql": "text/x-sql", "application/x-sql": "text/x-sql",
        "application/x-subrip": "text/x-subrip", "text/srt": "text/x-subrip", "application/x-python": "text/x-python",
        "text/x-python-script": "text/x-python", "application/x-python-code": "text/x-python",
        "application/x-perl": "text/x-perl", "application/x-ruby": "text/x-ruby", "application/x-php": "text/x-php",
        "application/x-httpd-php": "text/x-php", "application/x-tex": "text/x-tex", "application/x-latex": "text/x-tex",
        "text/rtf": "application/rtf", "text/x-vcard": "text/vcard", "text/directory": "text/vcard",
        "text/x-patch": "text/x-diff", "text/x-c": "text/x-csrc", "text/x-c++": "text/x-c++src",
        "application/x-desktop": "text/x-conf", "text/x-log": "text/plain",
        // Documents and archives.
        "application/x-pdf": "application/pdf", "application/x-zip-compressed": "application/zip",
        "application/x-zip": "application/zip", "application/x-gzip": "application/gzip",
        "application/x-gtar": "application/x-tar", "application/x-bzip": "application/x-bzip2",
        "application/x-rar-compressed": "application/vnd.rar", "application/x-rar": "application/vnd.rar",
        "application/x-compressed-tar": "application/gzip",
    ]

    /// Names that are known as a whole.
    private static let byName: [String: String] = [
        "readme": "text/plain", "license": "text/plain", "licence": "text/plain", "copying": "text/plain",
        "authors": "text/plain", "contributors": "text/plain", "changelog": "text/plain", "changes": "text/plain",
        "news": "text/plain", "notice": "text/plain", "todo": "text/plain", "install": "text/plain",
        "version": "text/plain", "makefile": "text/x-makefile", "gnumakefile": "text/x-makefile",
        "dockerfile": "text/x-dockerfile", "containerfile": "text/x-dockerfile", "vagrantfile": "text/x-ruby",
        "gemfile": "text/x-ruby", "rakefile": "text/x-ruby", "procfile": "text/x-conf", "justfile": "text/x-makefile",
        "jenkinsfile": "text/x-groovy", "codeowners": "text/x-conf", ".gitignore": "text/x-conf",
        ".gitattributes": "text/x-conf", ".gitconfig": "text/x-conf", ".gitmodules": "text/x-conf",
        ".dockerignore": "text/x-conf", ".editorconfig": "text/x-conf", ".env": "text/x-conf",
        ".bashrc": "text/x-shellscript", ".bash_profile": "text/x-shellscript", ".profile": "text/x-shellscript",
        ".zshrc": "text/x-shellscript", ".vimrc": "text/x-conf", ".bothyignore": "text/x-conf",
    ]

    private static let byExtension: [String: String] = [
        // Text.
        "txt": "text/plain", "log": "text/plain", "md": "text/markdown", "markdown": "text/markdown",
        "csv": "text/csv", "tsv": "text/tab-separated-values", "html": "text/html", "htm": "text/html",
        "css": "text/css", "js": "text/javascript", "mjs": "text/javascript", "json": "application/json",
        "xml": "application/xml", "yaml": "application/yaml", "yml": "application/yaml", "toml": "application/toml",
        "ics": "text/calendar", "vcf": "text/vcard", "rtf": "application/rtf",
        // Source code, by the names that freedesktop.org's shared-mime-info gives it.
        "c": "text/x-csrc", "h": "text/x-chdr", "cc": "text/x-c++src", "cpp": "text/x-c++src",
        "cxx": "text/x-c++src", "hpp": "text/x-c++hdr", "hh": "text/x-c++hdr", "m": "text/x-objcsrc",
        "swift": "text/x-swift", "go": "text/x-go", "rs": "text/x-rust", "py": "text/x-python",
        "rb": "text/x-ruby", "pl": "text/x-perl", "pm": "text/x-perl", "php": "text/x-php", "java": "text/x-java",
        "kt": "text/x-kotlin", "kts": "text/x-kotlin", "scala": "text/x-scala", "cs": "text/x-csharp",
        "fs": "text/x-fsharp", "hs": "text/x-haskell", "ml": "text/x-ocaml", "ex": "text/x-elixir",
        "exs": "text/x-elixir", "erl": "text/x-erlang", "clj": "text/x-clojure", "lisp": "text/x-common-lisp",
        "el": "text/x-emacs-lisp", "lua": "text/x-lua", "r": "text/x-rsrc", "jl": "text/x-julia",
        "dart": "text/x-dart", "zig": "text/x-zig", "nim": "text/x-nim", "d": "text/x-dsrc",
        "asm": "text/x-asm", "s": "text/x-asm", "sh": "text/x-shellscript", "bash": "text/x-shellscript",
        "zsh": "text/x-shellscript", "fish": "text/x-shellscript", "ps1": "text/x-powershell",
        "bat": "text/x-bat", "cmd": "text/x-bat", "sql": "text/x-sql", "ts": "text/x-typescript",
        "tsx": "text/x-typescript", "jsx": "text/javascript", "vue": "text/x-vue", "svelte": "text/x-svelte",
        "scss": "text/x-scss", "less": "text/x-less", "tex": "text/x-tex", "bib": "text/x-bibtex",
        "ini": "text/x-ini", "conf": "text/x-conf", "cfg": "text/x-conf", "properties": "text/x-java-properties",
        "env": "text/x-conf", "service": "text/x-systemd-unit", "diff": "text/x-diff", "patch": "text/x-diff",
        "cmake": "text/x-cmake", "mk": "text/x-makefile", "gradle": "text/x-gradle", "proto": "text/x-protobuf",
        "mustache": "text/x-mustache", "rst": "text/x-rst", "org": "text/x-org", "srt": "text/x-subrip",
        "vtt": "text/vtt", "po": "text/x-gettext-translation",
        // Pictures.
        "jpg": "image/jpeg", "jpeg": "image/jpeg", "png": "image/png", "gif": "image/gif", "webp": "image/webp",
        "avif": "image/avif", "heic": "image/heic", "heif": "image/heif", "bmp": "image/bmp", "tif": "image/tiff",
        "tiff": "image/tiff", "svg": "image/svg+xml", "ico": "image/vnd.microsoft.icon",
        "psd": "image/vnd.adobe.photoshop", "dng": "image/x-adobe-dng", "cr2": "image/x-canon-cr2",
        "nef": "image/x-nikon-nef", "arw": "image/x-sony-arw",
        // Sound.
        "mp3": "audio/mpeg", "m4a": "audio/mp4", "aac": "audio/aac", "flac": "audio/flac", "ogg": "audio/ogg",
        "oga": "audio/ogg", "opus": "audio/ogg", "wav": "audio/wav", "mid": "audio/midi", "midi": "audio/midi",
        // Films.
        "mp4": "video/mp4", "m4v": "video/mp4", "mov": "video/quicktime", "mkv": "video/matroska",
        "webm": "video/webm", "avi": "video/x-msvideo", "mpg": "video/mpeg", "mpeg": "video/mpeg", "ogv": "video/ogg",
        // Documents.
        "pdf": "application/pdf", "epub": "application/epub+zip", "ps": "application/postscript",
        "doc": "application/msword", "xls": "application/vnd.ms-excel", "ppt": "application/vnd.ms-powerpoint",
        "docx": "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
        "xlsx": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
        "pptx": "application/vnd.openxmlformats-officedocument.presentationml.presentation",
        "odt": "application/vnd.oasis.opendocument.text", "ods": "application/vnd.oasis.opendocument.spreadsheet",
        "odp": "application/vnd.oasis.opendocument.presentation", "sqlite": "application/vnd.sqlite3",
        // Archives.
        "zip": "application/zip", "gz": "application/gzip", "tgz": "application/gzip", "zst": "application/zstd",
        "bz2": "application/x-bzip2", "xz": "application/x-xz", "7z": "application/x-7z-compressed",
        "rar": "application/vnd.rar", "tar": "application/x-tar",
        // Fonts.
        "ttf": "font/ttf", "otf": "font/otf", "woff": "font/woff", "woff2": "font/woff2",
    ]
}
