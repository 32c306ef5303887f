package import Commands

/// The commands of bridges, with the functions that run them; `Commands/Descriptions` describes
/// them.
package let bridgeCommands: [Command] = [
    .bridgeTUIO.running(bridgeTUIO), .bridgeEvdev.running(bridgeEvdev),
    .bridgeMQTT.running(bridgeMQTT), .bridgeBadge.running(bridgeBadge),
]
