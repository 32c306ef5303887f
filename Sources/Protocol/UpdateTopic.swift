/// The address of an update: the first frame of its message.
package enum UpdateTopic: Hashable, Sendable {
    case state(session: String, component: String)
    case transition(session: String, component: String)
    case badge(session: String)
    case variables(session: String)
    case session(String)
    case scene(session: String)
    case rows(session: String, component: String)
    case touches(session: String)
    case frame(session: String)
    /// Nil if no such session is open.
    case rejected(session: String?)
    case sync(nonce: String)
    case heartbeat

    package func append(to buffer: inout ByteBuffer) {
        switch self {
        case .state(let session, let component):
            Self.appendState(session, component, to: &buffer)
        case .transition(let session, let component):
            Self.append("transition/", session, component, to: &buffer)
        case .badge(let session):
            buffer.append("badge/")
            buffer.append(session)
        case .variables(let session):
            buffer.append("variables/")
            buffer.append(session)
        case .session(let session):
            buffer.append("session/")
            buffer.append(session)
        case .scene(let session):
            buffer.append("scene/")
            buffer.append(session)
        case .rows(let session, let component):
            Self.append("rows/", session, component, to: &buffer)
        case .touches(let session):
            buffer.append("touches/")
            buffer.append(session)
        case .frame(let session):
            buffer.append("frame/")
            buffer.append(session)
        case .rejected(let session):
            buffer.append("rejected/")
            buffer.append(session ?? "-")
        case .sync(let nonce):
            buffer.append("sync/")
            buffer.append(nonce)
        case .heartbeat:
            buffer.append("heartbeat")
        }
    }

    package var text: String {
        var buffer = ByteBuffer(capacity: 64)
        append(to: &buffer)
        return buffer.text()
    }

    /// By itself, so that all of it is put in line: most messages are states.
    @inline(never)
    private static func appendState(
        _ session: String, _ component: String, to buffer: inout ByteBuffer
    ) {
        append("state/", session, component, to: &buffer)
    }

    @inline(__always)
    private static func append(
        _ prefix: StaticString, _ session: String, _ component: String,
        to buffer: inout ByteBuffer
    ) {
        unsafe session.withBytes { session in
            unsafe component.withBytes { component in
                let most = prefix.utf8CodeUnitCount &+ session.count &+ component.count &+ 1
                unsafe buffer.write(atMost: most) { start in
                    let first = unsafe piece(prefix, at: start)
                    unsafe copyShort(UnsafeRawBufferPointer(session), to: first)
                    let slash = unsafe first + session.count
                    unsafe slash[0] = UInt8(ascii: "/")
                    unsafe copyShort(UnsafeRawBufferPointer(component), to: slash + 1)
                    return unsafe slash + 1 + component.count
                }
            }
        }
    }
}
