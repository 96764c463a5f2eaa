"""Studies: several runs, one table, one picture. A package beside hypermon that registers its commands there."""
