import Codec
import Notation
import Platform
import Security
import ZeroMQ

/// The keys of a run: the daemon's own, and those of the clients that belong.
struct SecuritySettings: Equatable, Sendable {
    /// The file of the daemon's secret certificate; empty: none. A credential wins over it.
    var serverKeyFile = ""
    /// The folder of the clients' certificates.
    var authorizedFolder = ""
    /// The file of the certificate of the publishers to which the daemon connects; empty: none.
    var publisherKeyFile = ""
    /// The grants by the clients' names; `*` is for every client without one of its own.
    var grants: [String: Grant] = [:]
    /// Whether there is `[security.clients]`, be it empty: then a client without a grant may do
    /// nothing but `hello`. Where there is none, every client may do everything.
    var hasGrants = false

    /// The daemon's keys; nil: it speaks no CURVE.
    var serverKey: KeyPair?
    var publisherKey: CurveKey?
    var access = AccessList.empty
    /// Flaws with which it can start.
    var warnings: [Warning] = []

    struct Warning: Equatable, Sendable {
        let event: LogEvent
        let text: String
    }

    struct KeyPair: Equatable, Sendable {
        let publicKey: CurveKey
        let secretKey: CurveKey
    }
}

extension Configuration {
    /// The name of the credential with the daemon's certificate.
    private static var credential: String { "gestured.server_key" }

    mutating func readSecurity(
        _ node: Node, _ keys: inout ConfigurationKeys
    ) throws(TableError) {
        var table = try TableReader(node, path: "security")
        security.serverKeyFile = try table.string("server_key", default: "")
        security.authorizedFolder = try table.string("authorized_keys", default: "")
        security.publisherKeyFile = try table.string("publisher_key", default: "")
        let clients = try table.table("clients")
        try keys.finish(table)
        guard let clients else { return }
        security.hasGrants = true
        for member in clients.members ?? [] {
            let path = "security.clients.\(TableReader.shortened(member.name))"
            guard member.name == "*" || Name.isValid(member.name) else {
                throw TableError(
                    path: path, line: member.value.line, message: "must be * or \(Name.rule)")
            }
            guard security.grants.count < Limits.clientsMax else {
                throw TableError(
                    path: path, line: member.value.line,
                    message: "one more than \(Limits.clientsMax) clients")
            }
            security.grants[member.name] = try Self.grant(member.value, path: path, &keys)
        }
    }

    private static func grant(
        _ node: Node, path: String, _ keys: inout ConfigurationKeys
    ) throws(TableError) -> Grant {
        var table = try TableReader(node, path: path)
        var grant = Grant()
        grant.publish = try patterns(&table, "publish")
        grant.control = try table.choice("control", default: grant.control)
        grant.read = try patterns(&table, "read")
        grant.touches = try table.bool("touches", default: grant.touches)
        grant.tap = try patterns(&table, "tap")
        grant.updates =
            try table.strings("updates", countMax: 4) { _, endpoint in
                if let flaw = Endpoint.flaw(endpoint) { return flaw }
                return endpoint.hasPrefix("tcp://")
                    ? nil
                    : "\"\(endpoint)\" must be a tcp endpoint: over ipc there are no keys"
            } ?? []
        if !grant.updates.isEmpty, ReaderGroupKey(grant) == nil {
            throw table.error(
                "updates", "is the endpoint of those that may read some sessions, and not all")
        }
        try keys.finish(table)
        return grant
    }

    private static func patterns(
        _ table: inout TableReader, _ key: String
    ) throws(TableError) -> SessionPatterns {
        let texts = try table.strings(key, countMax: 64) { _, text in
            let name = text.hasSuffix("*") ? text.dropLast() : text[...]
            let isPattern = name.isEmpty ? text == "*" : Name.isValid(String(name))
            return isPattern
                ? nil
                : "\"\(TableReader.shortened(text))\" is no session's name, with * at its end "
                    + "for all that begin so"
        }
        return SessionPatterns(texts ?? [])
    }

    /// Reads the keys from their files, and checks that nobody can come in who does not belong.
    ///
    /// A check beside the service cannot read the service's credentials: it takes their lack for a
    /// warning.
    mutating func readKeys(
        _ node: Node, _ file: String, isCheck: Bool, _ faults: inout ConfigurationFaults
    ) {
        let table = node["security"]
        func place(_ key: String) -> String {
            "\(Self.place(file, table?[key]?.line ?? table?.line)) security, key \(key)"
        }
        let count = faults.errors.count
        faults.collect { () throws(StartError) in
            try readServerKey(beside: file, place("server_key"))
        }
        // All that follows depends on it.
        if faults.errors.count > count || faults.wrongKeys.contains("security.server_key") {
            return readClients(of: file, place("authorized_keys"), &faults)
        }
        if isCheck, security.serverKey == nil, !security.authorizedFolder.isEmpty {
            readClients(of: file, place("authorized_keys"), &faults)
            let text =
                "security: there is no server_key here; the credential \(Self.credential) must "
                + "bring it"
            return security.warnings.append(.init(event: .keysMissing, text: text))
        }
        guard security.serverKey != nil else {
            let given = [
                ("authorized_keys", !security.authorizedFolder.isEmpty),
                ("publisher_key", !security.publisherKeyFile.isEmpty),
                ("clients", security.hasGrants),
            ]
            for (key, isGiven) in given where isGiven {
                faults.note(
                    StartError("\(place(key)): needs server_key, the daemon's own certificate"))
            }
            return checkReach(node, file, &faults)
        }
        if !security.authorizedFolder.isEmpty {
            readClients(of: file, place("authorized_keys"), &faults)
        } else if !faults.wrongKeys.contains("security.authorized_keys") {
            faults.note(
                StartError(
                    "\(place("server_key")): needs authorized_keys, the folder of the certificates "
                        + "of those who may connect"))
        }
        if !security.publisherKeyFile.isEmpty {
            security.publisherKeyFile = Files.resolve(security.publisherKeyFile, beside: file)
            faults.collect { () throws(StartError) in
                security.publisherKey =
                    try Self.certificate(security.publisherKeyFile, place("publisher_key"))
                    .publicKey
            }
        }
        checkReach(node, file, &faults)
    }

    private mutating func readClients(
        of file: String, _ place: String, _ faults: inout ConfigurationFaults
    ) {
        guard !security.authorizedFolder.isEmpty else { return }
        security.authorizedFolder = Files.resolve(security.authorizedFolder, beside: file)
        readClients(place, &faults)
    }

    /// Warns where other users of this machine may read a file with a secret key.
    mutating func warnOfMode(_ path: String) {
        guard let command = Files.mendedMode(path) else { return }
        let text = "\(path): \(command) \(path) keeps it from them"
        security.warnings.append(.init(event: .keyExposed, text: text))
    }

    private mutating func readServerKey(beside file: String, _ place: String) throws(StartError) {
        var path = ""
        if let folder = Host.variable("CREDENTIALS_DIRECTORY"),
            Files.exists("\(folder)/\(Self.credential)")
        {
            path = "\(folder)/\(Self.credential)"
        } else if !security.serverKeyFile.isEmpty {
            security.serverKeyFile = Files.resolve(security.serverKeyFile, beside: file)
            path = security.serverKeyFile
            warnOfMode(path)
        }
        guard !path.isEmpty else { return }
        let certificate = try Self.certificate(path, place)
        guard let secretKey = certificate.secretKey else {
            throw StartError("\(place): \(path): has no secret-key; the file ends in _secret")
        }
        let made = try? Curve.publicKey(of: secretKey.text)
        guard made == certificate.publicKey.text else {
            throw StartError("\(place): \(path): public-key is not the one of its secret-key")
        }
        security.serverKey = .init(publicKey: certificate.publicKey, secretKey: secretKey)
    }

    static func certificate(
        _ path: String, _ place: String
    ) throws(StartError) -> Certificate {
        let bytes: [UInt8]
        do throws(StartError) {
            bytes = try Files.read(path, bytesMax: Certificate.bytesMax + 1)
        } catch {
            throw StartError("\(place): \(error.message)")
        }
        do throws(CertificateError) {
            return try Certificate(bytes)
        } catch {
            throw StartError(
                "\(place): \(error.line.map { "\(path):\($0):" } ?? "\(path):") \(error.message)")
        }
    }

    /// Other machines must not be able to connect without a key.
    private func checkReach(
        _ node: Node, _ file: String, _ faults: inout ConfigurationFaults
    ) {
        let connected = security.publisherKey == nil ? eventsConnect : []
        let bound = namedEndpoints(node, faults)
        if security.serverKey != nil {
            for (key, endpoints) in bound {
                let place = place(of: key, in: node, file)
                for open in endpoints where open.hasPrefix("ipc://@") {
                    faults.note(
                        StartError(
                            "\(place): \"\(open)\" has no "
                                + "file whose mode keeps others out, and over ipc no key is asked "
                                + "for"))
                }
            }
        }
        for (key, endpoints) in (security.serverKey == nil ? bound : []) + [
            (key: "events_connect", endpoints: connected)
        ] {
            let place = place(of: key, in: node, file)
            for endpoint in endpoints where !Endpoint.isOfThisMachine(endpoint) {
                let mending =
                    key == "events_connect"
                    ? "security.publisher_key, the certificate of that publisher"
                    : "security.server_key and authorized_keys, or an address of this machine"
                faults.note(
                    StartError(
                        "\(place): \"\(endpoint)\" is "
                            + "reached from other machines, and nothing is encrypted there and "
                            + "everybody may come in; it needs \(mending)"))
            }
        }
    }
}
