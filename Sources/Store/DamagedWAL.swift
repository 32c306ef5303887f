import Glibc

/// The write-ahead log of an unclean shutdown. SQLite takes the log to end at the first damaged
/// frame, and does not say whether commits follow it.
///
/// Its layout: https://www.sqlite.org/fileformat2.html#the_write_ahead_log
struct DamagedWAL {
    let path: String

    private static var headerBytes: Int { 32 }
    private static var frameHeaderBytes: Int { 24 }

    /// Keeps a copy of a log with acknowledged commits behind its valid frames; returns the
    /// warning, or nil. Throws `disk` if the log cannot be read.
    func keepIfDamaged(validFrames: Int, time: Int) throws(StoreError) -> String? {
        guard validFrames >= 0, try hasSyncedCommit(behind: validFrames) else { return nil }
        let kept = Quarantine.keepCopy(of: path, at: time)
        return "\(path): damaged behind frame \(validFrames), so that acknowledged changes may be "
            + "lost; \(kept)"
    }

    /// Whether a whole commit stands there, and after it a frame of the next one.
    ///
    /// A commit alone proves nothing: the last one may have met a loss of power, or a sync that
    /// failed, after which a shorter one took the place of its first frames. Nobody was told that
    /// it is done. The frame after it was written once it was on the disk.
    private func hasSyncedCommit(behind validFrames: Int) throws(StoreError) -> Bool {
        let file = unsafe open(path, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { return false }
        defer { close(file) }
        guard let header = try read(file, Self.headerBytes, at: 0),
            let first = try read(file, Self.frameHeaderBytes, at: Self.headerBytes)
        else { return false }
        let isBig = word(header, at: 0) & 1 == 1
        let isSound =
            checksum(header.prefix(24), isBig, after: (0, 0)) == words(header, at: 24)
        let salts = isSound ? words(header, at: 16) : words(first, at: 8)
        let told = Int(word(header, at: 8))
        let pageBytes = (512...65_536).contains(told) ? told : 4_096
        let stride = Self.frameHeaderBytes + pageBytes
        var index = max(1, validFrames)
        var isBehindCommit = false
        while let former = try read(file, Self.frameHeaderBytes, at: place(index - 1, stride)),
            let frame = try read(file, stride, at: place(index, stride))
        {
            // It belongs to this log and to no earlier one, is whole, and follows the one before.
            let content = frame.prefix(8) + frame.dropFirst(Self.frameHeaderBytes)
            let follows =
                words(frame, at: 8) == salts && words(former, at: 8) == salts
                && checksum(content, isBig, after: words(former, at: 16)) == words(frame, at: 16)
            if follows, isBehindCommit { return true }
            isBehindCommit = follows && word(frame, at: 4) > 0
            index += 1
        }
        return false
    }

    private func place(_ index: Int, _ stride: Int) -> Int { Self.headerBytes + index * stride }

    private func checksum(
        _ bytes: ArraySlice<UInt8>, _ isBig: Bool, after sums: (UInt32, UInt32)
    ) -> (UInt32, UInt32) {
        let bytes = Array(bytes)
        var sums = sums
        for place in stride(from: 0, to: bytes.count, by: 8) {
            let (first, second) = words(bytes, at: place)
            sums.0 &+= (isBig ? first : first.byteSwapped) &+ sums.1
            sums.1 &+= (isBig ? second : second.byteSwapped) &+ sums.0
        }
        return sums
    }

    private func words(_ bytes: [UInt8], at place: Int) -> (UInt32, UInt32) {
        (word(bytes, at: place), word(bytes, at: place + 4))
    }

    private func word(_ bytes: [UInt8], at place: Int) -> UInt32 {
        bytes[place..<place + 4].reduce(0) { $0 << 8 | UInt32($1) }
    }

    /// Reads `count` bytes from a place; nil if there are fewer.
    private func read(
        _ file: CInt, _ count: Int, at place: Int
    ) throws(StoreError) -> [UInt8]? {
        var bytes = [UInt8](repeating: 0, count: count)
        let found = unsafe bytes.withUnsafeMutableBytes {
            unsafe pread(file, $0.baseAddress, count, place)
        }
        if found < 0 {
            let reason = unsafe String(cString: strerror(errno))
            throw StoreError(.disk, "\(path): cannot be read: \(reason)")
        }
        return found == count ? bytes : nil
    }
}
