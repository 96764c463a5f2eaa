! Compiled with -finstrument-functions: subroutines of a module, and one beside.
module kernels
contains
  subroutine plane()
  end subroutine
  subroutine sweep(planes)
    integer, intent(in) :: planes
    integer :: k
    do k = 1, planes
      call plane()
    end do
  end subroutine
end module

subroutine beside()
end subroutine

program modules
  use mpi
  use kernels
  integer :: ierr, i
  call mpi_init(ierr)
  do i = 1, 2
    call sweep(3)
    call beside()
  end do
  call mpi_barrier(mpi_comm_world, ierr)
  call mpi_finalize(ierr)
end program
