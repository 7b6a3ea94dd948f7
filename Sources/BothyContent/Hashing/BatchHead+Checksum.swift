import BothyContract

extension BatchHead {
    /// The CRC-32C of the head and of the metadata behind it, as ``HeadChecksums`` has it.
    package func checksum(of metadata: UnsafeRawBufferPointer) -> UInt32 {
        var checksum = CRC32C()
        bytes.withUnsafeBytes { checksum.update($0) }
        checksum.update(metadata)
        return checksum.value
    }
}
