import BothyContent
import NIOCore

/// The CRC-32C of each page of a block, as its bytes stream by.
struct PageChecksums: Sendable {
    private var whole = [UInt32]()
    private var page = CRC32C()
    private var bytesInPage = 0

    mutating func update(_ buffer: ByteBuffer) { buffer.withUnsafeReadableBytes { update($0) } }

    mutating func update(_ bytes: UnsafeRawBufferPointer) {
        var rest = bytes[...]
        while !rest.isEmpty {
            let piece = rest.prefix(PackFormat.pageBytes - bytesInPage)
            page.update(UnsafeRawBufferPointer(rebasing: piece))
            bytesInPage += piece.count
            rest = rest.dropFirst(piece.count)
            if bytesInPage == PackFormat.pageBytes { endPage() }
        }
    }

    /// All of them, with the last page as far as it goes.
    func finished() -> [UInt32] { bytesInPage > 0 ? whole + [page.value] : whole }

    private mutating func endPage() {
        whole.append(page.value)
        page = CRC32C()
        bytesInPage = 0
    }
}
