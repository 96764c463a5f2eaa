program hello
  use mpi
  implicit none
  integer :: rank, ranks, ierr, calls = 0
  double precision :: sum
  character(len=20) :: argument
  call MPI_Init(ierr)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)
  call MPI_Comm_size(MPI_COMM_WORLD, ranks, ierr)
  call get_command_argument(1, argument)
  sum = rank
  call MPI_Allreduce(MPI_IN_PLACE, sum, 1, MPI_DOUBLE_PRECISION, MPI_SUM, MPI_COMM_WORLD, ierr)
  calls = calls + 1
  write (*, '(a,i0,a,i0,a,f4.1,a,i0,1x,a)') 'rank ', rank, ' of ', ranks, ': ', sum, ', ', calls, trim(argument)
  call MPI_Barrier(MPI_COMM_WORLD, ierr)
  call answered(rank)
  call MPI_Finalize(ierr)
end program hello
