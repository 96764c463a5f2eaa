"""Plain streams of events straight to the boards: runs without a program."""
