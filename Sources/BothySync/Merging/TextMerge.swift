/// Three-way merge of texts.
package enum TextMerge {
    /// Bytes of the largest text that is merged.
    package static let mostBytes: Int64 = 4 << 20
}
