import Notation
import Web

extension Bridge {
    /// The name of the cookie in which a browser keeps the token. A browser sends a cookie to all
    /// ports of a host, so that one name would let two of these programs take each other's place.
    private var cookie: String { "\(Self.formerCookie)-\(server?.port ?? 0)" }
    /// The name that it had before: a browser may have kept it.
    private static let formerCookie = "gesture-web"
    /// Seconds for which it keeps it: a month.
    private static let cookieSeconds = 30 * 86_400

    /// The answer to a request that does not show the token, or shows it in a link. Nil: it may go
    /// on.
    func checkAccess(_ request: RequestHead) -> HTTPAnswer? {
        guard let token = settings.token else { return nil }
        let bearer = request.value("authorization").flatMap { value -> String? in
            let lead = "bearer "
            return value.lowercased().hasPrefix(lead) ? String(value.dropFirst(lead.count)) : nil
        }
        let cookies = request.cookies(cookie) + request.cookies(Self.formerCookie)
        let shown = cookies + [bearer].compactMap(\.self)
        if shown.contains(where: token.matches) {
            // One that is in the address as well leaves it.
            let isInLink = request.parameter("token") != nil
            return isInLink && isPage(request) ? keepToken(token, request) : nil
        }
        guard token.matches(request.parameter("token")) else {
            counters.refusedTokens += 1
            tell(
                "a request (401): it does not show the secret of --token-file; the link that was "
                    + "printed at the start does")
            var answer = HTTPAnswer.text(401, "use the link with ?token= that gesture-web printed")
            answer.head.append(("www-authenticate", "Bearer"))
            return answer
        }
        return isPage(request) ? keepToken(token, request) : nil
    }

    private func isPage(_ request: RequestHead) -> Bool {
        !request.isUpgrade && request.method != .other
            && ServedPath(request.path)?.contentType.hasPrefix("text/html") == true
    }

    /// Lets the browser keep the token, and leads on to the address without it. A page leads on,
    /// since a redirect of a foreign page's link would not carry a strict cookie.
    private func keepToken(_ token: AccessToken, _ request: RequestHead) -> HTTPAnswer {
        let query = request.query(without: "token")
        // The browser may know the page by a longer path: a proxy can stand before it at one.
        let name = request.path.split(separator: "/", omittingEmptySubsequences: false).last ?? ""
        let target = Self.escaped("./\(name)" + (query.isEmpty ? "" : "?\(query)"))
        // Without a path the cookie is for the page's own folder, as the browser knows it: other
        // programs behind the proxy do not get it, nor theirs the place of this one.
        let isAtTop = request.path.dropFirst().firstIndex(of: "/") == nil
        let path = isAtTop ? "" : "Path=/; "
        var answer = HTTPAnswer.text(200, "")
        answer.head =
            HTTPAnswer.security + [
                ("content-type", "text/html; charset=utf-8"), ("cache-control", "no-store"),
                (
                    "set-cookie",
                    "\(cookie)=\(token.text); \(path)Max-Age=\(Self.cookieSeconds); "
                        + "HttpOnly; SameSite=Strict"
                ),
            ]
        answer.body = Array(
            """
            <!doctype html>
            <html lang="en"><title>gestured</title>
            <meta http-equiv="refresh" content="0;url=\(target)">
            <a href="\(target)">On to the page</a></html>

            """.utf8)
        return answer
    }

    /// As a value of HTML in quotes. The rest of a target is ASCII.
    private static func escaped(_ text: String) -> String {
        text.replacingEach("&", with: "&amp;").replacingEach("\"", with: "&quot;")
            .replacingEach("<", with: "&lt;").replacingEach(">", with: "&gt;")
    }
}
