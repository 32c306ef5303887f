import CZeroMQ

/// CurveZMQ's keys, by libzmq. Keys are 32 bytes, texts the 40 characters of Z85.
package enum Curve {
    /// A new pair of keys, as Z85. Throws where libzmq was built without CURVE.
    package static func makeKeys() throws(ZeroMQError) -> (publicKey: String, secretKey: String) {
        var keys = ([CChar](repeating: 0, count: 41), [CChar](repeating: 0, count: 41))
        guard unsafe zmq_curve_keypair(&keys.0, &keys.1) == 0 else {
            throw .last("zmq_curve_keypair")
        }
        return (text(keys.0), text(keys.1))
    }

    /// The public key of a secret one, both as Z85.
    package static func publicKey(of secretKey: String) throws(ZeroMQError) -> String {
        var key = [CChar](repeating: 0, count: 41)
        guard unsafe zmq_curve_public(&key, secretKey) == 0 else { throw .last("zmq_curve_public") }
        return text(key)
    }

    private static func text(_ letters: [CChar]) -> String {
        String(decoding: letters.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    }
}
