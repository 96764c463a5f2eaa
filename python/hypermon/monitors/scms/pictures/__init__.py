"""Pictures of SCMS/RMS' runs, for papers."""
