/// Rules for the runs of one block of a ``PostText``.
enum PostRuns {
    /// Words as they are shown: what acts on a screen instead of being shown is taken out, spaces that a screen does not show are
    /// too, and runs that look alike are one.
    static func tidied(_ runs: [PostText.Run], keepingSpaces: Bool) -> [PostText.Run] {
        var (tidy, isolates) = ([PostText.Run](), PostIsolates())
        for run in runs {
            var text = String.UnicodeScalarView()
            for scalar in run.text.unicodeScalars where isShown(scalar) && isolates.keep(scalar) {
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
        close(isolates, &tidy)
        return tidy
    }

    private static func close(_ isolates: PostIsolates, _ runs: inout [PostText.Run]) {
        guard let last = runs.indices.last else { return }
        for _ in 0..<isolates.open { runs[last].text.unicodeScalars.append(PostIsolates.end) }
    }

    /// The first runs, of `length` characters at most: whole words, and «…».
    static func beginning(of runs: [PostText.Run], length: Int) -> [PostText.Run] {
        var (kept, left) = ([PostText.Run](), length)
        for run in runs {
            let count = PostLength.of(run.text)
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
        var left = length
        let part = text.prefix { character in
            left -= PostLength.of(character)
            return left >= 0
        }
        if part.endIndex == text.endIndex || text[part.endIndex].isWhitespace { return String(part) }
        guard let space = part.lastIndex(where: \.isWhitespace) else { return isFirst ? String(part) : "" }
        return String(part[..<space])
    }

    private static func append(_ run: PostText.Run, to runs: inout [PostText.Run]) {
        guard !run.text.isEmpty else { return }
        var run = run
        if run.reference != nil { run.link = nil }
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

    /// Not controls, and not the marks that turn the direction of what comes after them, closed or not.
    private static func isShown(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x0A, 0x09: true
        case 0x202A...0x202E, 0x2028, 0x2029, 0xFFFE, 0xFFFF: false
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
