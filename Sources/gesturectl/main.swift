import Commands

Tool(Command.all, hidden: Command.hidden).main()
