"""Studies: several runs, one table, one picture."""
