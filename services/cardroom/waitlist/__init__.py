"""The sign-up board, call-ins, calls and rolls, interest lists, must-move lists, and bars from a list."""
