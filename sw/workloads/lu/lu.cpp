// SPDX-License-Identifier: BSD-3-Clause
// LU: symmetric successive over-relaxation for five coupled variables in a cube, with the messages of the NAS benchmark
// LU (NPB 3.3's MPI source). x and y are split over a grid of ranks, z is not split. An iteration goes up through the
// planes, each of which needs the new values of the northern and western neighbours, then down through them in mirrored
// form. So waves of work run from corner to corner, with two small incoming and two outgoing messages for each plane.
// Then the iteration computes the right-hand side, for which layers of two planes are exchanged with all four
// neighbours. Norms are reduced before the first iteration and after the last.
//
// equation.hpp defines the problem. Answer file: u after the last iteration, a .npy of doubles with a row of five for
// each point in the order z, y, x. Problems above largest_computed are only charged, not computed (work.hpp).
#include "sw/workloads/common/arguments.hpp"
#include "sw/workloads/common/collect.hpp"
#include "sw/workloads/common/measured_section.hpp"
#include "sw/workloads/lu/exchange.hpp"
#include "sw/workloads/lu/params.hpp"
#include "sw/workloads/lu/work.hpp"

namespace {
using namespace hypermon;
using namespace hypermon::workloads;
using namespace hypermon::workloads::lu;

class Solver {
public:
  Solver(const LuParams& p, const Pencil& pencil)
      : pencil_(pencil), charges_(p, pencil), exchange_(pencil), equation_(pencil.z()),
        u_(pencil, pencil.z() <= p.largest_computed), rest_(pencil, u_.computed()), f_(pencil, u_.computed()) {
    if (!u_.computed()) return;
    blocks_.resize(static_cast<std::size_t>(pencil.inner_of_plane()));
    set_boundary();
    set_right_side();
  }

  bool computed() const { return u_.computed(); }

  /// The last iteration also reports the size of its correction, as in NPB.
  void iterate(bool last) {
    scale();
    for (int k = 1; k < pencil_.z() - 1; ++k) {
      jacobian("jacld", k, -1);
      lower(k);
    }
    for (int k = pencil_.z() - 2; k > 0; --k) {
      jacobian("jacu", k, 1);
      upper(k);
    }
    update();
    if (last) correction_ = norms();
    right_side();
  }
  const Vector& correction() const { return correction_; }

  /// Computes the residual of the equations: f minus their left side.
  void right_side() {
    const Routine routine("rhs");
    each_point([&](const Point& at, const Point&) { rest(at) = f_.at(at[0], at[1], at[2]); });
    charges_.cube(rhs_begin);
    exchange_.layers(u_, Side::north, Side::south);
    subtract(0);
    charges_.cube(rhs_x);
    exchange_.layers(u_, Side::west, Side::east);
    subtract(1);
    subtract(2);
    charges_.cube(rhs_y_and_z);
  }

  /// Root mean square of each variable in the residual or, before right_side(), in the last iteration's correction.
  Vector norms() {
    const Routine routine("l2norm");
    Vector own{}, all{};
    each_point([&](const Point& at, const Point&) {
      for (int m = 0; m < variables; ++m) own[m] += rest(at)[m] * rest(at)[m];
    });
    charges_.cube(norm);
    MPI_Allreduce(own.data(), all.data(), variables, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    for (double& each : all) each = std::sqrt(each / std::pow(pencil_.z() - 2, 3));
    return all;
  }

  /// The rank's points in the order z, y, x.
  std::vector<Vector> points() {
    std::vector<Vector> all;
    for (int k = 0; k < pencil_.z(); ++k)
      for (int j = 0; j < pencil_.y().count; ++j)
        for (int i = 0; i < pencil_.x().count; ++i) all.push_back(u_.at(i, j, k));
    return all;
  }

private:
  /// Blocks of the implicit operator at an inner point, for the neighbours in x, y and z.
  struct Blocks {
    std::array<Block, directions> neighbour;
    Block diagonal;
  };

  Point in_cube(const Point& at) const { return {pencil_.x().first + at[0], pencil_.y().first + at[1], at[2]}; }
  Vector& rest(const Point& at) { return rest_.at(at[0], at[1], at[2]); }
  Blocks& blocks(const Point& at) {
    const auto i = static_cast<std::size_t>(at[0] - pencil_.x().begin());
    const auto j = static_cast<std::size_t>(at[1] - pencil_.y().begin());
    return blocks_[j * static_cast<std::size_t>(pencil_.x().inner()) + i];
  }

  /// For the inner points of a plane, in ascending order: each(local numbers, the cube's numbers). Does nothing if
  /// nothing is computed.
  template <class Each> void each_of_plane(int k, Each&& each) {
    if (!computed()) return;
    for (int j = pencil_.y().begin(); j < pencil_.y().end(); ++j)
      for (int i = pencil_.x().begin(); i < pencil_.x().end(); ++i) each(Point{i, j, k}, in_cube({i, j, k}));
  }
  template <class Each> void each_backwards(int k, Each&& each) {
    if (!computed()) return;
    for (int j = pencil_.y().end() - 1; j >= pencil_.y().begin(); --j)
      for (int i = pencil_.x().end() - 1; i >= pencil_.x().begin(); --i) each(Point{i, j, k});
  }
  template <class Each> void each_point(Each&& each) {
    for (int k = 1; k < pencil_.z() - 1; ++k) each_of_plane(k, each);
  }

  /// Sets the solution on the boundary and zero inside.
  void set_boundary() {
    const Routine routine("setbv");
    const int last = pencil_.z() - 1;
    for (int k = 0; k <= last; ++k)
      for (int j = 0; j < pencil_.y().count; ++j)
        for (int i = 0; i < pencil_.x().count; ++i) {
          const Point p = in_cube({i, j, k});
          if (std::any_of(p.begin(), p.end(), [last](int at) { return at == 0 || at == last; }))
            u_.at(i, j, k) = equation_.solution(p);
        }
  }
  void set_right_side() {
    const Routine routine("erhs");
    each_point([&](const Point& at, const Point& p) { f_.at(at[0], at[1], at[2]) = equation_.right_side(p); });
  }

  void scale() {
    each_point([&](const Point& at, const Point&) {
      for (double& each : rest(at)) each *= time_step;
    });
    charges_.cube(scaling);
  }
  void update() {
    each_point([&](const Point& at, const Point&) {
      for (int m = 0; m < variables; ++m)
        u_.at(at[0], at[1], at[2])[m] += rest(at)[m] / (relaxation * (2 - relaxation));
    });
    charges_.cube(workloads::lu::update);
  }

  void jacobian(const char* name, int k, int side) {
    const Routine routine(name);
    each_of_plane(k, [&](const Point& at, const Point& p) {
      for (int d = 0; d < directions; ++d) blocks(at).neighbour[d] = equation_.neighbour(d, p, side);
      blocks(at).diagonal = equation_.diagonal();
    });
    charges_.plane(workloads::lu::jacobian);
  }
  void lower(int k) {
    const Routine routine("blts");
    exchange_.receive_lines(rest_, k, Side::north, Side::west);
    each_of_plane(k, [&](const Point& at, const Point&) {
      Vector& v = rest(at);
      subtract_product(v, relaxation, blocks(at).neighbour[2], rest_.at(at[0], at[1], k - 1));
      subtract_product(v, relaxation, blocks(at).neighbour[1], rest_.at(at[0], at[1] - 1, k));
      subtract_product(v, relaxation, blocks(at).neighbour[0], rest_.at(at[0] - 1, at[1], k));
      solve(blocks(at).diagonal, v);
    });
    charges_.plane(solving);
    exchange_.send_lines(rest_, k, Side::south, Side::east);
  }
  void upper(int k) {
    const Routine routine("buts");
    exchange_.receive_lines(rest_, k, Side::south, Side::east);
    each_backwards(k, [&](const Point& at) {
      Vector correction{};
      subtract_product(correction, -relaxation, blocks(at).neighbour[2], rest_.at(at[0], at[1], k + 1));
      subtract_product(correction, -relaxation, blocks(at).neighbour[1], rest_.at(at[0], at[1] + 1, k));
      subtract_product(correction, -relaxation, blocks(at).neighbour[0], rest_.at(at[0] + 1, at[1], k));
      solve(blocks(at).diagonal, correction);
      for (int m = 0; m < variables; ++m) rest(at)[m] -= correction[m];
    });
    charges_.plane(solving);
    exchange_.send_lines(rest_, k, Side::north, Side::west);
  }

  void subtract(int direction) {
    each_point([&](const Point& at, const Point& p) {
      const auto u = [&](int steps) {
        Point q = at;
        q[direction] += steps;
        return u_.at(q[0], q[1], q[2]);
      };
      equation_.subtract(direction, p, u, rest(at));
    });
  }

  const Pencil& pencil_;
  Charges charges_;
  Exchange exchange_;
  Equation equation_;
  Cube u_;
  Cube rest_; // NPB's rsd: the residual; between scale() and update() the correction
  Cube f_;
  Vector correction_{};
  std::vector<Blocks> blocks_; // blocks of a plane's inner points
};

bool write_answer(Solver& solver, Ranks ranks, int points, const std::string& path) {
  const auto size = static_cast<std::size_t>(points);
  std::vector<Vector> all(ranks.mine == 0 ? size * size * size : 0);
  collect(
      ranks, solver.points(),
      [&](int rank) {
        return Pencil({rank, ranks.count}, points).all();
      },
      [&](int rank, const std::vector<Vector>& part) {
        const Pencil pencil({rank, ranks.count}, points);
        auto each = part.begin();
        for (int k = 0; k < points; ++k)
          for (int j = 0; j < pencil.y().count; ++j, each += pencil.x().count)
            std::copy_n(each, pencil.x().count,
                        all.begin() + (std::int64_t{k} * points + pencil.y().first + j) * points + pencil.x().first);
      });
  return ranks.mine != 0 ||
         write_npy(path, "<f8", sizeof(double), all.data(), static_cast<std::int64_t>(all.size()), variables);
}

void print_norms(const char* title, const Vector& norms) {
  std::printf("lu: %s", title);
  for (const double norm : norms) std::printf(" %.15g", norm);
  std::printf("\n");
}

/// Size of an NPB class: points in each direction, iterations.
struct Size {
  int points;
  std::int64_t iterations;
};
constexpr std::array<Size, 6> sizes{{{12, 50}, {33, 300}, {64, 250}, {102, 250}, {162, 250}, {408, 300}}};

int run(const Arguments<LuParams>& arguments, Ranks ranks) {
  const auto& p = arguments.params;
  Routine::bracketed = p.timers;
  const Routine routine("applu");
  const Size& size = sizes[static_cast<std::size_t>(p.problem)];
  const int points = p.points == 0 ? size.points : static_cast<int>(p.points);
  const std::int64_t iterations = p.iterations == 0 ? size.iterations : p.iterations;
  if (const std::string why = Pencil::refusal(ranks.count, points); !why.empty()) return refuse(ranks, why);
  const Pencil pencil(ranks, points);
  Solver solver(p, pencil);
  {
    const Routine ssor("ssor");
    solver.right_side();
    const Vector first = solver.norms();
    Vector last{};
    MPI_Barrier(MPI_COMM_WORLD);
    measure(true); // NPB's own timer also runs from here to the end of the last iteration
    const double begin = MPI_Wtime();
    for (std::int64_t i = 0; i < iterations; ++i) {
      solver.iterate(i + 1 == iterations);
      if (i + 1 == iterations) last = solver.norms();
      hypermon_profile_dump();
    }
    const double own = MPI_Wtime() - begin;
    measure(false);
    double longest = 0;
    MPI_Allreduce(&own, &longest, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    if (ranks.mine == 0) {
      std::printf("lu: %d points, %lld iterations: %.6f s\n", points, static_cast<long long>(iterations), longest);
      if (!solver.computed()) std::printf("lu: not computed, only charged\n");
      if (solver.computed()) {
        print_norms("first residuals", first);
        print_norms("last residuals", last);
        print_norms("last correction", solver.correction());
      }
    }
  }
  if (arguments.output.empty() || !solver.computed()) return 0;
  return write_answer(solver, ranks, points, arguments.output) ? 0 : cannot_write;
}
} // namespace

int main(int argc, char** argv) { return run_program<LuParams>(argc, argv, run); }
