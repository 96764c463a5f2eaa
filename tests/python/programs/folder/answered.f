      subroutine answered(rank)
      implicit none
      include 'mpif.h'
      integer rank, other, ierr
      other = -1
      if (rank .eq. 0) other = 42
      call MPI_BCAST(other, 1, MPI_INTEGER, 0, MPI_COMM_WORLD, ierr)
      print '(a,i0)', 'answered ', other
      end
