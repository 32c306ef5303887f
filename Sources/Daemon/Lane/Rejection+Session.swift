import Interactions

extension Rejection {
    static func unknown(session: String) -> Rejection {
        Rejection(.unknownSession, "there is no session \"\(session)\"")
    }
}
