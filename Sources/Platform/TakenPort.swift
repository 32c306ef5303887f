/// The advice to a person whose port another program has.
package enum TakenPort {
    /// Completes "Address already in use: …".
    ///
    /// - Parameters:
    ///   - program: the program that may have it, as `another gesture-web`.
    ///   - choice: what names another port, as `--listen`.
    ///   - isUDP: whether it is a port of UDP, not of TCP.
    package static func advice(
        port: Int, program: String, choice: String, isUDP: Bool = false
    ) -> String {
        let kind = isUDP ? "u" : "t"
        return "perhaps \(program) runs: stop it, or name another port by \(choice) "
            + "(ss -l\(kind)np 'sport = :\(port)' shows whose it is)"
    }
}
