/// Who touches the disk below the database: another pack driver must be able to stand where the filesystem's stands.
enum DiskRules {
    private static let packs = "Sources/BothyServer/Packs/Filesystem/"

    static let packFiles = Rule.perLine(
        "in the server only Packs/Filesystem opens pack files",
        planted: [
            .init(
                path: "Sources/BothyServer/Content/ContentReader.swift",
                text: "let file = open(folder + \"/packs/0000.pack\", O_RDONLY)\n"),
            .init(path: "Sources/BothyServer/Jobs/Reclaim.swift", text: "let count = pread(pack, bytes, 4096, 0)\n"),
        ]
    ) { file, line in
        guard file.target == "BothyServer", !file.path.hasPrefix(packs) else { return nil }
        if line.contains(#/\.pack"/#) { return "names a pack file" }
        return line.firstMatch(of: #/(?:^|[^.\w])(pread|pwrite|pwritev|preadv|fallocate|fdatasync)\(/#)
            .map { "calls \($0.1), which is for pack files" }
    }
}
