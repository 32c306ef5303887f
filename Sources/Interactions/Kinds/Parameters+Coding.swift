package import Geometry
package import Gestures
package import Notation

/// Parameters are not encoded: a scene has them already, and has found them valid.
extension CodingUserInfoKey {
    fileprivate static let component: CodingUserInfoKey = {
        guard let key = CodingUserInfoKey(rawValue: "component") else {
            preconditionFailure("a key that cannot be")
        }
        return key
    }()
}

extension ComponentParameters {
    /// The component of these parameters that was encoded, as it stood, by a clock that `info`
    /// may say to be another one.
    package func machine(
        from node: Node, viewport: Size, tracker: VelocityTracker.Kind,
        with info: [CodingUserInfoKey: any Sendable] = [:]
    ) throws(NodeError) -> any Machine {
        let machine: any Machine =
            switch self {
            case .tips: try decode(Tips.self, node, with: info)
            case .toss: try decode(Toss.self, node, with: info)
            case .navigation: try decode(Navigation.self, node, with: info)
            case .profile: try decode(Profile.self, node, with: info)
            case .list: try decode(List.self, node, with: info)
            case .reader: try decode(Reader.self, node, with: info)
            case .tabs: try decode(Tabs.self, node, with: info)
            case .dynamics: try decode(World.self, node, with: info)
            }
        guard machine.isSound(viewport: viewport, tracker: tracker) else {
            throw NodeError(path: "", message: "is no state of \(kind) in this scene")
        }
        return machine
    }

    func decode<Value: Decodable>(
        _ type: Value.Type, _ node: Node, with info: [CodingUserInfoKey: any Sendable] = [:]
    ) throws(NodeError) -> Value {
        var info = info
        info[.component] = self
        return try node.decode(type, with: info)
    }
}

extension Decoder {
    /// The parameters of the component that is decoded.
    func parameters<Parameters>(
        _ pick: (ComponentParameters) -> Parameters?
    ) throws -> Parameters {
        guard let component = userInfo[.component] as? ComponentParameters,
            let parameters = pick(component)
        else { throw error("is of another kind of component") }
        return parameters
    }
}

extension Encoder {
    /// Where parameters would stand.
    fileprivate func encodeNothing() throws {
        var container = singleValueContainer()
        try container.encodeNil()
    }
}

extension TipsParameters: Codable {
    package init(from decoder: any Decoder) throws {
        self = try decoder.parameters { if case .tips(let own) = $0 { own } else { nil } }
    }

    package func encode(to encoder: any Encoder) throws { try encoder.encodeNothing() }
}

extension TossParameters: Codable {
    package init(from decoder: any Decoder) throws {
        self = try decoder.parameters { if case .toss(let own) = $0 { own } else { nil } }
    }

    package func encode(to encoder: any Encoder) throws { try encoder.encodeNothing() }
}

extension NavigationParameters: Codable {
    package init(from decoder: any Decoder) throws {
        self = try decoder.parameters { if case .navigation(let own) = $0 { own } else { nil } }
    }

    package func encode(to encoder: any Encoder) throws { try encoder.encodeNothing() }
}

extension ProfileParameters: Codable {
    package init(from decoder: any Decoder) throws {
        self = try decoder.parameters { if case .profile(let own) = $0 { own } else { nil } }
    }

    package func encode(to encoder: any Encoder) throws { try encoder.encodeNothing() }
}

extension ListParameters: Codable {
    package init(from decoder: any Decoder) throws {
        self = try decoder.parameters { if case .list(let own) = $0 { own } else { nil } }
    }

    package func encode(to encoder: any Encoder) throws { try encoder.encodeNothing() }
}

extension ReaderParameters: Codable {
    package init(from decoder: any Decoder) throws {
        self = try decoder.parameters { if case .reader(let own) = $0 { own } else { nil } }
    }

    package func encode(to encoder: any Encoder) throws { try encoder.encodeNothing() }
}

extension TabsParameters: Codable {
    package init(from decoder: any Decoder) throws {
        self = try decoder.parameters { if case .tabs(let own) = $0 { own } else { nil } }
    }

    package func encode(to encoder: any Encoder) throws { try encoder.encodeNothing() }
}

extension WorldParameters: Codable {
    package init(from decoder: any Decoder) throws {
        self = try decoder.parameters { if case .dynamics(let own) = $0 { own } else { nil } }
    }

    package func encode(to encoder: any Encoder) throws { try encoder.encodeNothing() }
}
