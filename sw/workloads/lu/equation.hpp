// SPDX-License-Identifier: BSD-3-Clause
// The problem that LU solves where it computes: five coupled linear equations in a cube with a known solution.
//
// NPB's LU solves five nonlinear equations by the same method. Here, with the distance of points as unit of length, the
// equations for u = (u_0 .. u_4) are:
//
//   sum over x, y, z of ( w V u' - u'' + e u'''' ) + R u = f
//
// with central differences. w grows over the cube, V (one for each direction) and R couple the variables, and the
// fourth difference is one-sided next to the boundary, as in NPB. f is the left side for solution().
#pragma once
#include "sw/workloads/lu/pencil.hpp"
#include <algorithm>
#include <vector>

namespace hypermon::workloads::lu {

using Vector = std::array<double, variables>;
using Block = std::array<Vector, variables>; // rows

inline constexpr double time_step = 2; // step of the pseudo-time, NPB's dt
inline constexpr double relaxation = 1.2;
inline constexpr double fourth = 1.0 / 32; // e in the equation
inline constexpr int directions = 3;

/// A point of the cube.
using Point = std::array<int, directions>;

class Equation {
public:
  explicit Equation(int points) : last_(points - 1) {
    for (int d = 0; d < directions; ++d)
      for (int m = 0; m < variables; ++m)
        for (int n = 0; n < variables; ++n) v_[d][m][n] = 0.04 * ((m + 2 * n + 3 * d) % 5) - 0.08;
    for (int m = 0; m < variables; ++m)
      for (int n = 0; n < variables; ++n) r_[m][n] = (m == n ? 0.5 : 0) + 0.02 * ((3 * m + n) % 5);
  }

  Vector solution(const Point& p) const {
    const double x = share(p[0]), y = share(p[1]), z = share(p[2]);
    Vector u;
    for (int m = 0; m < variables; ++m) u[m] = 1 + 0.2 * m + x * y * (1 + m * z) + 0.5 * z * z;
    return u;
  }

  /// Subtracts the equation's terms of direction d from `rest`, and with the last direction those of R. at(steps): u at
  /// a distance of `steps` points in that direction; it is not called beyond the boundary.
  template <class At> void subtract(int d, const Point& p, At&& at, Vector& rest) const {
    const int i = p[d];
    const double w = speed(p);
    const auto here = at(0), less = at(-1), more = at(1);
    Vector u4;
    for (int m = 0; m < variables; ++m)
      u4[m] = (i == 1 || i == last_ - 1 ? 5 : 6) * here[m] - (i == 1 ? 0 : 4 * less[m]) -
              (i == last_ - 1 ? 0 : 4 * more[m]);
    if (i > 2) add(u4, at(-2));
    if (i < last_ - 2) add(u4, at(2));
    for (int m = 0; m < variables; ++m) {
      double sum = fourth * u4[m] - (less[m] - 2 * here[m] + more[m]);
      for (int n = 0; n < variables; ++n) sum += 0.5 * w * v_[d][m][n] * (more[n] - less[n]);
      if (d == directions - 1)
        for (int n = 0; n < variables; ++n) sum += r_[m][n] * here[n];
      rest[m] -= sum;
    }
  }
  Vector right_side(const Point& p) const {
    Vector f{};
    for (int d = 0; d < directions; ++d)
      subtract(
          d, p,
          [&](int steps) {
            Point q = p;
            q[d] += steps;
            return solution(q);
          },
          f);
    for (double& each : f) each = -each;
    return f;
  }

  /// Diagonal block of the implicit operator, 1 + time_step * (the left side without its fourth differences).
  Block diagonal() const {
    Block b;
    for (int m = 0; m < variables; ++m)
      for (int n = 0; n < variables; ++n)
        b[m][n] = time_step * r_[m][n] + (m == n ? 1 + time_step * 2 * directions : 0);
    return b;
  }
  /// Block that couples with the neighbour in direction d, on the lower (-1) or upper (1) side.
  Block neighbour(int d, const Point& p, int side) const {
    Block b;
    const double w = 0.5 * side * speed(p);
    for (int m = 0; m < variables; ++m)
      for (int n = 0; n < variables; ++n) b[m][n] = time_step * (w * v_[d][m][n] - (m == n ? 1 : 0));
    return b;
  }

private:
  double share(int i) const { return static_cast<double>(i) / last_; }
  double speed(const Point& p) const { return 1 + 0.25 * (share(p[0]) + share(p[1]) + share(p[2])); }
  static void add(Vector& sum, const Vector& more) {
    for (int m = 0; m < variables; ++m) sum[m] += more[m];
  }

  int last_;
  std::array<Block, directions> v_;
  Block r_;
};

/// v -= factor * block * u
inline void subtract_product(Vector& v, double factor, const Block& block, const Vector& u) {
  for (int m = 0; m < variables; ++m) {
    double sum = 0;
    for (int n = 0; n < variables; ++n) sum += block[m][n] * u[n];
    v[m] -= factor * sum;
  }
}

/// Replaces v by the solution of block * x = v, by elimination without pivoting, as in NPB.
inline void solve(Block block, Vector& v) {
  for (int p = 0; p < variables; ++p)
    for (int m = p + 1; m < variables; ++m) {
      const double factor = block[m][p] / block[p][p];
      for (int n = p + 1; n < variables; ++n) block[m][n] -= factor * block[p][n];
      v[m] -= factor * v[p];
    }
  for (int m = variables - 1; m >= 0; --m) {
    for (int n = m + 1; n < variables; ++n) v[m] -= block[m][n] * v[n];
    v[m] /= block[m][m];
  }
}

/// A vector for each of a rank's points and of two layers around it in x and y. It is empty if nothing is computed.
class Cube {
public:
  Cube(const Pencil& pencil, bool computed)
      : x_(pencil.x().count + 4), y_(pencil.y().count + 4),
        values_(computed ? static_cast<std::size_t>(x_) * y_ * pencil.z() : 0) {}
  bool computed() const { return !values_.empty(); }
  Vector& at(int i, int j, int k) {
    return values_[(static_cast<std::size_t>(k) * y_ + static_cast<std::size_t>(j + 2)) * x_ +
                   static_cast<std::size_t>(i + 2)];
  }

private:
  std::size_t x_;
  std::size_t y_;
  std::vector<Vector> values_;
};

} // namespace hypermon::workloads::lu
