import CSystem
import Commands
import Glibc
import Platform

/// Receives UDP datagrams, without waiting.
final class DatagramSocket {
    let descriptor: CInt
    /// As `udp://127.0.0.1:3333`.
    let url: String
    private var room = [UInt8](repeating: 0, count: 65_536)

    /// Bytes of a sender's address as text, with its port.
    private static let senderBytesMax = 64

    /// - Parameter port: 0 asks for a free one.
    init(address: String, port: Int) throws(Failure) {
        var number = UInt16(clamping: port)
        descriptor = unsafe gs_udp_open(address, &number)
        let shown = address.contains(":") ? "[\(address)]" : address
        url = "udp://\(shown):\(number)"
        if descriptor == -2 {
            throw Self.badAddress(address)
        }
        guard descriptor >= 0 else {
            let code = errno
            var reason = Console.words(for: code)
            if code == EADDRINUSE {
                let advice = TakenPort.advice(
                    port: Int(number), program: "another bridge", choice: "--listen or --port",
                    isUDP: true)
                reason += ": \(advice)"
            }
            throw .unavailable("--listen \(url): \(reason)")
        }
    }

    static func badAddress(_ given: String) -> Failure {
        .usage(
            "--listen must be an address such as 127.0.0.1 or udp://127.0.0.1:3333, "
                + "not '\(given)'")
    }

    deinit { if descriptor >= 0 { close(descriptor) } }

    /// The next datagram and its sender; nil: there is none now.
    func next() -> (bytes: [UInt8], sender: String)? {
        var sender = [CChar](repeating: 0, count: Self.senderBytesMax)
        let count = unsafe room.withUnsafeMutableBytes { room in
            unsafe sender.withUnsafeMutableBufferPointer { sender in
                unsafe gs_udp_receive(
                    descriptor, room.baseAddress, room.count, sender.baseAddress, sender.count)
            }
        }
        guard count >= 0 else { return nil }
        let text = sender.prefix { $0 != 0 }.map(UInt8.init(bitPattern:))
        return (Array(room.prefix(count)), String(decoding: text, as: UTF8.self))
    }
}
