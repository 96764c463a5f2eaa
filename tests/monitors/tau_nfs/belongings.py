"""What is TAU over NFS's beside its folders: nothing that can go without TAU."""

ALSO: tuple[str, ...] = ()
