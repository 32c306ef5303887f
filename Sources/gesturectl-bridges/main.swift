import BridgeCommands
import Commands

// The bridges of gesturectl: it starts this program where a command line names one.
Tool(bridgeCommands, part: .bridges).main()
