import Commands

// The bridges of gesturectl: it starts this program where a command line names one.
Tool(
    [
        .bridgeTUIO.running(bridgeTUIO), .bridgeEvdev.running(bridgeEvdev),
        .bridgeMQTT.running(bridgeMQTT), .bridgeBadge.running(bridgeBadge),
    ], part: .bridges
).main()
