"""What is TAU's beside its folders: the study of TAU over Supermon's paper, which is beside those of HYPERMON's."""

ALSO = (
    "python/hypermon_studies/tau.py",
    "python/hypermon_studies/tau_calibration.py",
    "python/hypermon_studies/tau_cells.py",
    "python/hypermon_studies/tau_figures.py",
    "python/hypermon_studies/tau_page.py",
    "python/hypermon_studies/tau_runs.py",
)
