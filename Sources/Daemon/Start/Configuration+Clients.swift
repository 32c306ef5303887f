import Notation
import Platform
import Security

/// The files of the folder of keys, by what their names say.
struct KeyFolder: Equatable {
    /// Files named `NAME.key`: each lets a client in.
    private(set) var keys: [String] = []
    /// Secret halves, which belong to their clients alone.
    private(set) var secrets: [String] = []
    /// All others: hidden files, backups, keys that were renamed. None lets a client in.
    private(set) var others: [String] = []

    init(_ files: [String]) {
        for file in files.sorted() {
            if file.hasSuffix("_secret") {
                secrets.append(file)
            } else if file.hasSuffix(Self.ending), !file.hasPrefix(".") {
                keys.append(file)
            } else {
                others.append(file)
            }
        }
    }

    /// The ending of a file that lets a client in.
    static let ending = ".key"

    static func clientName(of file: String) -> String { String(file.dropLast(ending.count)) }

    /// Names for a line of the log: some of them, and how many more there are.
    static func list(_ names: [String]) -> String {
        let shown = names.prefix(Limits.namesTold).map(TableReader.shortened)
        let rest = names.count - shown.count
        return shown.joined(separator: ", ") + (rest > 0 ? " and \(rest) more" : "")
    }
}

extension Configuration {
    /// The name of the other members of a cluster among the clients; no file can have it.
    private static let members = "other/members"

    /// Reads the certificates of those who may connect, each with its grant.
    mutating func readClients(_ place: String, _ faults: inout ConfigurationFaults) {
        let path = security.authorizedFolder
        guard let names = Folder.names(in: path, countMax: Limits.keyFilesMax + 1) else {
            return faults.note(StartError("\(place): the folder \(path) cannot be read"))
        }
        guard names.count <= Limits.keyFilesMax else {
            return faults.note(
                StartError(
                    "\(place): \(path) has more than \(Limits.keyFilesMax) files; give a folder "
                        + "of keys alone"))
        }
        let folder = KeyFolder(names)
        guard folder.keys.count <= Limits.clientsMax else {
            return faults.note(
                StartError("\(place): \(path) has more than \(Limits.clientsMax) keys"))
        }
        var clients: [AccessList.Client] = []
        var keys: [CurveKey: String] = [:]
        for file in folder.keys where faults.errors.count < Limits.configurationErrorsMax {
            faults.collect { () throws(StartError) in
                let client = try readClient(file, place)
                if let other = keys.updateValue(file, forKey: client.key) {
                    throw StartError("\(place): \(path): \(other) and \(file) have one key")
                }
                clients.append(client)
            }
        }
        warn(of: folder, folder.keys.map(KeyFolder.clientName))
        // The other members of a cluster have this daemon's own key, and pass events on.
        if !cluster.url.isEmpty, let own = security.serverKey?.publicKey, keys[own] == nil {
            clients.append(
                AccessList.Client(name: Self.members, key: own, grant: .everything))
        }
        security.access = AccessList(clients)
        guard security.access.groups.count <= Limits.readerGroupsMax else {
            return faults.note(
                StartError(
                    "\(place): the clients may read in more than \(Limits.readerGroupsMax) "
                        + "different ways, and each needs an endpoint"))
        }
    }

    private mutating func readClient(
        _ file: String, _ place: String
    ) throws(StartError) -> AccessList.Client {
        let path = "\(security.authorizedFolder)/\(file)"
        let name = KeyFolder.clientName(of: file)
        guard Name.isValid(name) else {
            throw StartError("\(place): \(path): its name must be \(Name.rule)")
        }
        let certificate = try Self.certificate(path, place)
        if certificate.secretKey != nil {
            warn(
                .keyExposed,
                "\(path): it belongs to its client alone; a public half is enough")
        }
        return AccessList.Client(name: name, key: certificate.publicKey, grant: grant(of: name))
    }

    /// The rights of a client. Where the configuration says what clients may do, a client without a
    /// table was forgotten, or its file renamed: it may do nothing.
    private func grant(of client: String) -> Grant {
        guard security.hasGrants else { return .everything }
        return security.grants[client] ?? security.grants["*"] ?? Grant()
    }

    private mutating func warn(_ event: LogEvent, _ text: String) {
        security.warnings.append(.init(event: event, text: text))
    }

    /// Warns of files that are passed over, and of tables and keys that do not go together.
    private mutating func warn(of folder: KeyFolder, _ clients: [String]) {
        let path = security.authorizedFolder
        if !folder.secrets.isEmpty {
            warn(
                .keyExposed,
                "\(path): \(KeyFolder.list(folder.secrets)): a secret key belongs to its client "
                    + "alone, so move it there and remove it here")
        }
        if !folder.others.isEmpty {
            warn(
                .keysPassedOver,
                "\(path): \(KeyFolder.list(folder.others)): a client's key is a file NAME.key, so "
                    + "remove or rename the others")
        }
        let known = Set(clients)
        for name in security.grants.keys.sorted() where name != "*" && !known.contains(name) {
            warn(
                .grantDoubted,
                "security.clients.\(name): there is no file \(name).key in \(path)")
        }
        let bare = clients.filter { security.grants[$0] == nil }
        if !bare.isEmpty, security.hasGrants, security.grants["*"] == nil {
            warn(
                .grantMissing,
                "\(KeyFolder.list(bare)): give each a table [security.clients.NAME], or all "
                    + "[security.clients.\"*\"]")
        }
        if clients.isEmpty {
            warn(.keysMissing, "\(path) has no certificate, and nobody can connect over tcp")
        }
    }
}

extension SecuritySettings {
    /// The clients that may do everything from now on, where the last table was removed; nil: it
    /// was not, or there are none. Rights that a removal widens may not be meant.
    func widened(from former: SecuritySettings) -> String? {
        guard former.hasGrants, !hasGrants else { return nil }
        let names = access.clients.map(\.name).filter(Name.isValid)
        return names.isEmpty ? nil : KeyFolder.list(names)
    }
}

extension Limits {
    /// Clients with a key: their certificates are read at once.
    static let clientsMax = 1_024
    /// Files of the folder of keys, whatever they are: one with more is another folder.
    static let keyFilesMax = 16_384
    /// Names that one line of the log tells, each shortened: the line has its own bound.
    static let namesTold = 8
}
