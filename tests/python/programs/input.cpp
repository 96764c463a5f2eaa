// SPDX-License-Identifier: BSD-3-Clause
// Reads standard input in the way that its argument says: tests/python/test_endings.py.
#include <mpi.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <iostream>
#include <string>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  const std::string how = argv[1];
  char text[99] = "";
  if (how == "fgets")
    while (std::fgets(text, sizeof text, stdin)) std::printf("%s", text);
  if (how == "getchar")
    for (int c = 0; (c = std::getchar()) != EOF;) std::putchar(c);
  if (how == "getc_unlocked")
    for (int c = 0; (c = getc_unlocked(stdin)) != EOF;) std::putchar(c);
  if (how == "read")
    while (read(0, text, 1) == 1) std::printf("%s", text);
  if (how == "fread") std::printf("%s", std::fread(text, 1, 98, stdin) > 0 ? text : "");
  if (how == "scanf") {
    int a = 0, b = 0;
    if (std::scanf("%d %d", &a, &b) == 2) std::printf("%d %d\n", a, b);
    while (std::scanf("%98s", text) == 1) std::printf("%s\n", text);
  }
  if (how == "getline") {
    char* line = nullptr;
    std::size_t room = 0;
    while (getline(&line, &room, stdin) > 0) std::printf("%s", line);
    std::free(line);
  }
  if (how == "cin") {
    int rank = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (std::string line; rank == 0 && std::getline(std::cin, line);) std::cout << line << "\n";
  }
  MPI_Finalize();
}
