! SPDX-License-Identifier: BSD-3-Clause
! MPI-IO from Fortran: each kind of argument, requests of accesses among those of messages, an error handler.
module share
  use mpi
  implicit none
  integer :: e, rank, n
  integer, target :: addressed(4) ! the compiler cannot know who writes here
contains
  subroutine say(text)
    character(len=*), intent(in) :: text
    character(len=120) :: line
    integer :: r, status(MPI_STATUS_SIZE)
    line = text
    do r = 0, n - 1
      if (rank == 0 .and. r > 0) call MPI_Recv(line, 120, MPI_CHARACTER, r, 77, MPI_COMM_WORLD, status, e)
      if (rank == r .and. r > 0) call MPI_Send(line, 120, MPI_CHARACTER, 0, 77, MPI_COMM_WORLD, e)
      if (rank == 0) print '(i0, a, a)', r, ': ', trim(line)
    end do
  end subroutine

  subroutine say_numbers(text, numbers)
    character(len=*), intent(in) :: text
    integer, intent(in) :: numbers(:)
    character(len=80) :: all
    write (all, '(20(1x, i0))') numbers
    call say(text // trim(all))
  end subroutine

  integer function bytes_of(status)
    integer, intent(inout) :: status(MPI_STATUS_SIZE)
    call MPI_Get_count(status, MPI_BYTE, bytes_of, e)
  end function
end module

module handlers
  implicit none
  integer :: called = 0
contains
  subroutine on_error(file, code)
    integer :: file, code
    called = called + 1
  end subroutine
end module

program main
  use share
  use handlers
  implicit none
  integer :: f, info, view_info, column, etype, filetype, group, amode, handler, got, i, flag_count
  integer, volatile :: b(4) ! calls change it after they have returned
  integer :: a(4), r(3), st(MPI_STATUS_SIZE), all(MPI_STATUS_SIZE, 3), indices(3), numbers(8)
  integer :: absolute
  integer(kind=MPI_OFFSET_KIND) :: at
  integer(kind=MPI_ADDRESS_KIND) :: where_b(1), extent
  logical :: flag
  character(len=32) :: name
  character(len=32) :: datarep
  character(len=16) :: value
  call MPI_Init(e)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, e)
  call MPI_Comm_size(MPI_COMM_WORLD, n, e)
  a = (/1, 2, 3, 4/) + 10 * rank

  name = 'fortran'
  call MPI_Info_create(info, e)
  call MPI_Info_set(info, 'cb_buffer_size', '65536', e)
  call MPI_File_open(MPI_COMM_WORLD, name, MPI_MODE_CREATE + MPI_MODE_RDWR, info, f, e)
  call say_numbers('open', (/e/))
  call MPI_File_get_info(f, view_info, e)
  call MPI_Info_get(view_info, 'cb_buffer_size', 16, value, flag, e)
  if (flag) call say('cb_buffer_size ' // value(1:5))
  call MPI_File_get_amode(f, amode, e)
  call MPI_File_get_group(f, group, e)
  call MPI_Group_size(group, got, e)
  call say_numbers('mode, processes', (/amode - MPI_MODE_CREATE - MPI_MODE_RDWR, got/))

  ! one column for each rank
  call MPI_Type_vector(4, 1, n, MPI_INTEGER, column, e)
  call MPI_Type_commit(column, e)
  at = 4 * rank
  call MPI_File_set_view(f, at, MPI_INTEGER, column, 'native ', MPI_INFO_NULL, e)
  call say_numbers('view', (/e/))
  at = 0
  call MPI_File_write_at_all(f, at, a, 4, MPI_INTEGER, st, e)
  call say_numbers('write', (/e, bytes_of(st)/))
  datarep = repeat('x', 32)
  call MPI_File_get_view(f, at, etype, filetype, datarep, e)
  call MPI_Type_size(filetype, got, e)
  call say_numbers('view of ' // datarep // '|', (/int(at), got/))
  at = 2
  call MPI_File_get_byte_offset(f, at, at, e)
  call MPI_File_get_type_extent(f, MPI_INTEGER, extent, e)
  call say_numbers('at byte, of', (/int(at), int(extent)/))
  at = 0
  call MPI_File_set_view(f, at, MPI_INTEGER, MPI_INTEGER, 'native', MPI_INFO_NULL, e)
  call MPI_File_sync(f, e)
  call MPI_Barrier(MPI_COMM_WORLD, e)
  at = 4 * mod(rank + 1, 4)
  call MPI_File_read_at(f, at, b, 4, MPI_INTEGER, MPI_STATUS_IGNORE, e)
  call say_numbers('read', (/e, b/))
  call MPI_File_get_size(f, at, e)
  call MPI_Barrier(MPI_COMM_WORLD, i)
  call say_numbers('size', (/e, int(at)/))

  ! accesses among messages
  at = 100 + 4 * rank
  b = -1
  call MPI_File_iwrite_at(f, at, a, 4, MPI_INTEGER, r(1), e)
  call MPI_Irecv(b, 4, MPI_INTEGER, mod(rank + n - 1, n), 1, MPI_COMM_WORLD, r(2), e)
  call MPI_Isend(a, 4, MPI_INTEGER, mod(rank + 1, n), 1, MPI_COMM_WORLD, r(3), e)
  call MPI_Waitall(3, r, all, e)
  call say_numbers('all', (/e, bytes_of(all(:, 1)), b, count(r == MPI_REQUEST_NULL)/))
  b = -1
  call MPI_File_iread_at(f, at, b, 4, MPI_INTEGER, r(1), e)
  call MPI_Wait(r(1), st, e)
  call say_numbers('one', (/bytes_of(st), b, count(r == MPI_REQUEST_NULL)/))
  call MPI_File_seek(f, at, MPI_SEEK_SET, e)
  b = -1
  call MPI_File_iread(f, b, 4, MPI_INTEGER, r(1), e)
  flag = .false.
  do while (.not. flag)
    call MPI_Test(r(1), flag, MPI_STATUS_IGNORE, e)
  end do
  call MPI_File_get_position(f, at, e)
  call say_numbers('tested', (/b, int(at), count(r == MPI_REQUEST_NULL)/))
  at = 100
  call MPI_File_iwrite_at(f, at, a, 0, MPI_INTEGER, r(1), e)
  call MPI_Isend(a, 4, MPI_INTEGER, mod(rank + 1, n), 2, MPI_COMM_WORLD, r(2), e)
  call MPI_Irecv(b, 4, MPI_INTEGER, mod(rank + n - 1, n), 2, MPI_COMM_WORLD, r(3), e)
  flag_count = 0
  do while (flag_count < 3)
    call MPI_Waitsome(3, r, got, indices, all, e)
    flag_count = flag_count + got
  end do
  call say_numbers('some', (/b, count(r == MPI_REQUEST_NULL)/))

  ! split, shared, in order; absolute addresses
  at = 200 + 4 * rank
  call MPI_File_write_at_all_begin(f, at, a, 4, MPI_INTEGER, e)
  call MPI_File_write_at_all_end(f, a, st, e)
  call say_numbers('split', (/e, bytes_of(st)/))
  call MPI_Get_address(addressed, where_b(1), e)
  call MPI_Type_create_hindexed(1, (/4/), where_b, MPI_INTEGER, absolute, e)
  call MPI_Type_commit(absolute, e)
  addressed = -1
  call MPI_File_read_at_all(f, at, MPI_BOTTOM, 1, absolute, st, e)
  call say_numbers('at an address', (/e, bytes_of(st), addressed/))
  at = 300
  call MPI_File_seek_shared(f, at, MPI_SEEK_SET, e)
  call MPI_File_write_ordered(f, a, 1, MPI_INTEGER, st, e)
  call MPI_File_get_position_shared(f, at, e)
  call say_numbers('in order', (/int(at)/))
  call MPI_File_set_atomicity(f, .true., e)
  call MPI_File_get_atomicity(f, flag, e)
  if (flag) call say('atomic')

  ! an error, by a handler and as a code
  call MPI_File_create_errhandler(on_error, handler, e)
  call MPI_File_set_errhandler(f, handler, e)
  call MPI_File_get_errhandler(f, got, e)
  at = -8
  call MPI_File_read_at(f, at, b, 4, MPI_INTEGER, st, e)
  call say_numbers('handler', (/called, merge(1, 0, e == MPI_SUCCESS)/))
  call MPI_File_close(f, e)
  call say_numbers('closed', (/e, merge(1, 0, f == MPI_FILE_NULL)/))
  call MPI_File_open(MPI_COMM_WORLD, 'no such file   ', MPI_MODE_RDONLY, MPI_INFO_NULL, f, e)
  call say_numbers('no such file', (/merge(1, 0, e == MPI_SUCCESS), merge(1, 0, f == MPI_FILE_NULL)/))
  call MPI_File_open(MPI_COMM_WORLD, ' gone', MPI_MODE_CREATE + MPI_MODE_WRONLY, MPI_INFO_NULL, f, e)
  call MPI_File_close(f, e)
  call MPI_Barrier(MPI_COMM_WORLD, e)
  if (rank == 0) call MPI_File_delete('gone ', MPI_INFO_NULL, e)
  call say_numbers('deleted', (/e/))
  call MPI_Finalize(e)
end program
