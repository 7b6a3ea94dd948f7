extension String {
    /// The names of a path, between its slashes.
    ///
    /// By scalars, here and below: a name that begins with a combining mark, a joiner or a skin tone makes one
    /// `Character` with the slash before it.
    package var pathNames: [String] { unicodeScalars.split(separator: "/").map { String($0) } }

    package var beginsWithSlash: Bool { unicodeScalars.first == "/" }

    /// Where the last name's slash is.
    package var lastSlash: Index? { unicodeScalars.lastIndex(of: "/") }

    /// Whether it is the path of something in the folder, however deep.
    package func lies(below folder: String) -> Bool { utf8.starts(with: (folder + "/").utf8) }
}
