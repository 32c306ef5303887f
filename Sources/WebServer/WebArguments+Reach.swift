import CSystem
import Glibc
import Web

extension Arguments {
    /// Refuses to let other machines in without a word about who may do what.
    func checkReach() throws(StartError) {
        guard !isLoopback, !isReadOnly, tokenFile == nil, !isOpenToNetwork else { return }
        throw StartError(
            "--listen \(shownAddress):\(port) lets other machines in: add --token-file FILE (who "
                + "has the link), --read-only (all may look) or --open-to-network (all may do all)")
    }

    /// Whether this machine alone can connect.
    private var isLoopback: Bool {
        guard let address else { return false }
        if address.contains(":") {
            var bytes = [UInt8](repeating: 0, count: 16)
            guard unsafe inet_pton(AF_INET6, address, &bytes) == 1 else { return false }
            let one = [UInt8](repeating: 0, count: 15) + [1]
            let mapped = [UInt8](repeating: 0, count: 10) + [0xFF, 0xFF, 127]
            return bytes == one || bytes.starts(with: mapped)
        }
        return address.hasPrefix("127.")
    }

    /// The token of `--token-file`; nil: there is none.
    func token() throws(StartError) -> AccessToken? {
        guard let tokenFile else { return nil }
        var status = stat()
        guard unsafe stat(tokenFile, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            throw StartError("--token-file \(tokenFile): there is no such file")
        }
        guard status.st_mode & (S_IROTH | S_IWOTH) == 0 else {
            throw StartError(
                "--token-file \(tokenFile): everybody may read or change it; chmod 600 it")
        }
        let range = AccessToken.bytesRange
        let flaw = StartError(
            "--token-file \(tokenFile): it must have \(range.lowerBound) to \(range.upperBound) of "
                + "A-Z a-z 0-9 . _ ~ - in one line")
        guard status.st_size <= range.upperBound + 2 else { throw flaw }
        let size = Int(status.st_size)
        var count = 0
        let bytes = unsafe [UInt8](unsafeUninitializedCapacity: size) { buffer, filled in
            count = unsafe gs_read_file(tokenFile, buffer.baseAddress, size)
            filled = max(0, count)
        }
        guard count >= 0 else {
            throw StartError("--token-file \(tokenFile): it cannot be read")
        }
        var text = String(decoding: bytes, as: UTF8.self)
        if text.hasSuffix("\n") { text.removeLast() }
        guard let token = AccessToken(text) else { throw flaw }
        return token
    }
}
