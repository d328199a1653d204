"""The command line `cardroom`: one module for each group of commands, each with a function `register(app)`."""
