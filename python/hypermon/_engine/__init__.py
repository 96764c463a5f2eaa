"""What is done with specifications: runs, sweeps, sizing, checks."""
