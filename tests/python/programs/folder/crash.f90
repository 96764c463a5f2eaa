program crash
  use mpi
  implicit none
  integer :: ierr, rank, place
  real, pointer :: nowhere(:)
  real :: few(4)
  character(16) :: how
  call MPI_Init(ierr)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)
  call get_command_argument(1, how)
  print *, 'begin', rank
  place = 4 + rank
  few = 1.0
  if (how == 'bounds') few(place) = 3.0
  nullify(nowhere)
  if (how == 'null' .and. rank == 1) nowhere(place) = 3.0
  print *, 'end', rank, few(1)
  call MPI_Finalize(ierr)
end program
