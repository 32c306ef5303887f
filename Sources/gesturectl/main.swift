import Commands
import ToolCommands

Tool(Command.all, hidden: Command.hidden).main()
