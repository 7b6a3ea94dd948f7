/// Rules for the runs of one block of a ``PostText``.
enum PostRuns {
    /// Words as they are shown: what acts on a screen instead of being shown is taken out, spaces that a screen does not show are
    /// too, and runs that look alike are one.
    static func tidied(_ runs: [PostText.Run], keepingSpaces: Bool) -> [PostText.Run] {
        var tidy = [PostText.Run]()
        for run in runs {
            var text = String.UnicodeScalarView()
            for scalar in run.text.unicodeScalars where isShown(scalar) {
                guard !keepingSpaces else {
                    text.append(scalar)
                    continue
                }
                let last = text.last ?? tidy.last?.text.unicodeScalars.last ?? "\n"
                let isSpace = scalar == " " || scalar == "\t"
                if isSpace, last == " " || last == "\n" { continue }
                if scalar == "\n", last == " " { removeLast(&text, &tidy) }
                if scalar == "\n", text.isEmpty, tidy.isEmpty { continue }
                text.append(isSpace ? " " : scalar)
            }
            append(PostText.Run(String(text), of: run), to: &tidy)
        }
        trimEnd(&tidy)
        return tidy
    }

    /// The first runs, of `length` Unicode scalars at most: whole words, and «…».
    static func beginning(of runs: [PostText.Run], length: Int) -> [PostText.Run] {
        var (kept, left) = ([PostText.Run](), length)
        for run in runs {
            let count = run.text.unicodeScalars.count
            guard count > left else {
                kept.append(run)
                left -= count
                continue
            }
            append(PostText.Run(beginning(of: run.text, left, isFirst: kept.isEmpty), of: run), to: &kept)
            break
        }
        trimEnd(&kept)
        guard let last = kept.indices.last else { return [] }
        kept[last].text += "…"
        return kept
    }

    /// - Parameter isFirst: a word that is longer than all that may be shown is cut itself.
    private static func beginning(of text: String, _ length: Int, isFirst: Bool) -> String {
        let part = text.unicodeScalars.prefix(length)
        if text.unicodeScalars.dropFirst(length).first?.properties.isWhitespace ?? true { return String(part) }
        let space = part.lastIndex { $0.properties.isWhitespace }
        guard let space else { return isFirst ? String(part) : "" }
        return String(part[..<space])
    }

    private static func append(_ run: PostText.Run, to runs: inout [PostText.Run]) {
        guard !run.text.isEmpty else { return }
        if let last = runs.indices.last, runs[last].looksLike(run) {
            runs[last].text += run.text
        } else {
            runs.append(run)
        }
    }

    private static func trimEnd(_ runs: inout [PostText.Run]) {
        while let last = runs.indices.last {
            while let scalar = runs[last].text.unicodeScalars.last, scalar == " " || scalar == "\n" || scalar == "\t" {
                runs[last].text.unicodeScalars.removeLast()
            }
            guard runs[last].text.isEmpty else { return }
            runs.removeLast()
        }
    }

    /// The space before a line feed, which may be the last of the run before.
    private static func removeLast(_ text: inout String.UnicodeScalarView, _ runs: inout [PostText.Run]) {
        if !text.isEmpty {
            text.removeLast()
        } else if let last = runs.indices.last {
            runs[last].text.unicodeScalars.removeLast()
            if runs[last].text.isEmpty { runs.removeLast() }
        }
    }

    /// Not controls, and not what turns the direction of what stands beside a post.
    private static func isShown(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x0A, 0x09: true
        case 0x202A...0x202E, 0x2066...0x2069, 0x2028, 0x2029, 0xFFFE, 0xFFFF: false
        default: scalar.properties.generalCategory != .control
        }
    }
}

extension PostText.Run {
    /// Other words that look like those of `run`.
    init(_ text: String, of run: Self) {
        self = run
        self.text = text
    }
}
