import Glibc
import Notation
import Platform
import Security
import Store
import ZeroMQ

/// Values that a start would refuse though each is good in itself. A check asks the system for it
/// and changes nothing.
extension Configuration {
    func checkStart(_ node: Node, _ file: String, _ faults: inout ConfigurationFaults) {
        for (key, endpoints) in namedEndpoints(node, faults) {
            check(endpoints, place(of: key, in: node, file), &faults)
        }
        for name in security.grants.keys.sorted() {
            let line = node["security"]?["clients"]?[name]?["updates"]?.line
            let place = "\(Self.place(file, line)) security.clients.\(name), key updates"
            check(security.grants[name]?.updates ?? [], place, &faults)
        }
        checkStateDirectory(node, file, &faults)
        if !faults.wrongKeys.contains("lanes") {
            let cores = Host.processorCount
            faults.collect { () throws(StartError) in
                try Descriptors.expect(lanes: lanes > 0 ? lanes : cores)
            }
        }
    }

    private func check(
        _ endpoints: [String], _ place: String, _ faults: inout ConfigurationFaults
    ) {
        for endpoint in endpoints {
            guard let flaw = BindingFlaw.found(in: endpoint, ipv6: ipv6) else { continue }
            let text = "\(place): \"\(endpoint)\" \(flaw.text)"
            switch flaw.kind {
            case .impossible: faults.note(StartError(text))
            // The daemon itself may run there, as another user, and in folders of its service.
            case .taken, .forbidden, .notYet: faults.warn(text)
            }
        }
    }

    private func checkStateDirectory(
        _ node: Node, _ file: String, _ faults: inout ConfigurationFaults
    ) {
        let folder = resolvedStateDirectory
        let place = place(of: "state_dir", in: node, file)
        switch Files.folderAccess(folder) {
        case .good: break
        case .impossible(let reason):
            return faults.note(StartError("\(place): \(folder): \(reason)"))
        case .forbidden(let reason): return faults.warn("\(place): \(folder): \(reason)")
        }
        func checkRights(_ path: String) {
            guard Files.exists(path), unsafe Glibc.access(path, R_OK | W_OK) != 0 else { return }
            faults.warn("\(place): \(path): this user may not read and write it")
        }
        let lock = "\(folder)/\(Files.lockName)"
        // A start follows no link there.
        if let thing = StoreAccess.thing(at: lock, followsLinks: false) {
            faults.note(
                StartError("\(place): \(lock) is \(thing); remove it, or set another state_dir"))
        } else {
            checkRights(lock)
        }
        guard durability != .off, cluster.url.isEmpty else { return }
        let store = "\(folder)/gestured.db"
        if let obstacle = StoreAccess.obstacle(store) {
            faults.note(StartError("\(place): \(obstacle)"))
        } else {
            checkRights(store)
        }
    }
}
