"""Pictures of HYPERMON's runs, for papers."""
