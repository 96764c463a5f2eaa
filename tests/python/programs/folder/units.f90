! Every rank writes a file of its own, all under the same unit number.
program units
  use mpi
  implicit none
  integer :: rank, ierr, i
  character(len=20) :: name
  call MPI_Init(ierr)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)
  write (name, '(a,i0,a)') 'out', rank, '.txt'
  open (unit=10, file=name)
  do i = 1, 2
    write (10, '(a,i0,1x,i0)') 'rank ', rank, i
    call MPI_Barrier(MPI_COMM_WORLD, ierr)
  end do
  close (10)
  call MPI_Finalize(ierr)
end program units
