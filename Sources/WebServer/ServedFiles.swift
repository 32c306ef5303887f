import CSystem
import Glibc
import Notation
import Web

/// The files of the page, read from the disk at each request.
struct ServedFiles {
    let folder: String

    /// Bytes of a served file: far above the page's own, and one answer still fits into memory.
    private static let bytesMax = 16 * 1_024 * 1_024

    func answer(_ request: RequestHead) -> HTTPAnswer {
        guard let path = ServedPath(request.path) else {
            return .text(404, "there is no such file")
        }
        let place = "\(folder)/\(path.file)"
        var status = stat()
        guard unsafe stat(place, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            return .text(404, "there is no such file")
        }
        guard status.st_size <= Self.bytesMax else { return .text(413, "the file is too large") }
        let tag =
            "\"\(hexadecimal(status.st_mtim.tv_sec))-\(hexadecimal(status.st_mtim.tv_nsec))"
            + "-\(hexadecimal(Int(status.st_size)))\""
        let head =
            HTTPAnswer.security + [
                ("content-type", path.contentType), ("etag", tag), ("cache-control", "no-cache"),
            ]
        if request.value("if-none-match")?.holds(tag) == true {
            return HTTPAnswer(status: 304, head: head, body: [])
        }
        guard let bytes = Self.read(place, Int(status.st_size)) else {
            return .text(404, "the file cannot be read")
        }
        return HTTPAnswer(status: 200, head: head, body: bytes)
    }

    private func hexadecimal(_ number: Int) -> String { String(number, radix: 16) }

    private static func read(_ path: String, _ size: Int) -> [UInt8]? {
        var result = 0
        let bytes = unsafe [UInt8](unsafeUninitializedCapacity: size) { buffer, count in
            result = unsafe gs_read_file(path, buffer.baseAddress, size)
            count = max(0, result)
        }
        return result == size ? bytes : nil
    }
}
