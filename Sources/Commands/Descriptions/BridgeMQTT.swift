import Manual

extension Command {
    package static let bridgeMQTT = Command(
        name: "bridge mqtt", arguments: "",
        summary: "Join sessions with an MQTT broker and Home Assistant",
        details: """
            Out, retained, each under --prefix and SESSION: badges/total, badges/counts/KIND,
            COMPONENT/phase, COMPONENT/shown (a tab, a screen), variables/NAME/value (as JSON),
            availability; and PREFIX/bridges/ID/availability for the bridge itself, by its last
            will. Out, once each and not retained: COMPONENT/event, the transitions. Home Assistant
            finds them by discovery, with buttons for commands, selects for tabs and screens, events
            for transitions, and a switch, a number or a text for each variable. What sessions have
            left there that are gone is cleared when the bridge starts.

            Several bridges may share a PREFIX, each with its own --client-id and with sessions that
            --session names. A session is for one bridge: a second one waits until the first ends.

            In: PREFIX/SESSION/notify takes a notification as JSON, or the kind alone;
            PREFIX/SESSION/COMPONENT/command and PREFIX/SESSION/command take a command as JSON, or
            its name alone; PREFIX/SESSION/variables/NAME/command takes the variable's next value as
            JSON, or a text as it stands. A message of QoS 1 is acknowledged once the daemon has it
            for good, and counted once: give it an "id" in the JSON to be sure also where a client
            publishes it again. Refused messages are told on PREFIX/rejected.

            While the bridge is away, the broker keeps messages under the client's name. The ledger
            says which of them the bridge had carried out.

            \(bridgeDetails)
            """,
        options: [
            Option(
                "--broker", "HOST[:PORT]",
                "the broker, also mqtt:// or mqtts:// (default localhost:1883; TLS :8883)"),
            Option("--session", "SESSIONS", "these alone, with commas between them"),
            Option("--prefix", "PREFIX", "before all topics (default gestured)"),
            Option("--discovery", "PREFIX", "Home Assistant's (default homeassistant)"),
            Option("--no-discovery", nil, "tell Home Assistant nothing"),
            Option("--username", "NAME", "the user at the broker"),
            Option("--password-file", "FILE", "whose first line is the password"),
            Option("--tls", nil, "by TLS, with the system's certificates"),
            Option("--tls-ca", "FILE", "by TLS, with these certificates"),
            Option("--client-id", "ID", "the client's name (default gestured-HOSTNAME)"),
            Option("--ledger", "FILE", "keeps the ids of messages (default in the state folder)"),
        ] + bridgeOptions,
        examples: [
            (
                "gesturectl bridge mqtt --session alice",
                "show alice's counts and phases at the broker of this machine"
            ),
            (
                "gesturectl bridge mqtt --broker house.lan --username gestured "
                    + "--password-file /etc/gestured/mqtt",
                "join all sessions with the house's broker"
            ),
        ],
        part: { _ in .bridges }
    )
}
