// SPDX-License-Identifier: BSD-3-Clause
// Phases: an elastic body as particles on a grid (the material point method). Each time step has eleven tasks, one
// after the other on all ranks, like those that the TAU over Supermon paper observes in Uintah (sec. 5, Figure 3).
//
// Particles are distributed to the ranks by number, the grid by columns. So each sum over the grid, and each
// interpolation from it, needs a message between any two ranks (tasks 1 to 8). Task 9 stores the particles, task 10
// computes their stresses, and task 11 agrees on the length of the next step. Each task is a routine with a timer, from
// "1 positions" to "11 time step".
//
// A particle represents phases.represents particles, with their bytes and work. Costs of the columns of the grid are
// neglected, because they have few numbers compared with the particles. The body fills the grid, which is periodic in
// both directions. Answer file: all particles in the order of their numbers, a .npy of doubles: x, y, vx, vy, sxx, syy,
// sxy, temperature.
#include "sw/workloads/common/collect.hpp"
#include "sw/workloads/common/measured_section.hpp"
#include "sw/workloads/phases/checkpoint.hpp"
#include "sw/workloads/phases/grid.hpp"
#include "sw/workloads/phases/params.hpp"

namespace {
using namespace hypermon;
using namespace hypermon::workloads;

// Lame's constants. With a density of 1 the speed of sound along the body is 1.
constexpr double lambda = 0.4;
constexpr double mu = 0.3;
constexpr double heat_share = 0.1; // share of the grid's temperature that a particle takes over in a step (chosen)

class Body {
public:
  Body(const Deal& deal) : deal_(deal), transfers_(deal), checkpoint_(deal) {
    for (std::int64_t i = 0; i < deal.own(deal.ranks.mine); ++i)
      particles_.push_back(deal.at_first(deal.number(deal.ranks.mine, i)));
    step_ = deal.p.courant / (1 + std::abs(deal.p.drift) + std::abs(deal.p.wave));
  }
  const std::vector<Particle>& particles() const { return particles_; }

  void step(std::int64_t number) {
    find_cells();
    Nodes masses(deal_, 3); // mass, momentum; later velocity
    sum_masses(masses);
    Nodes forces(deal_, 2); // later acceleration
    sum_forces(masses, forces);
    accelerate(forces);
    move(masses, forces);
    strain(masses);
    Nodes heat(deal_, 1); // later temperature
    sum_heat(masses, heat);
    mix(heat);
    if (deal_.p.access != FileAccess::none && deal_.p.checkpoint_every != 0 && number % deal_.p.checkpoint_every == 0) {
      const Routine task("9 checkpoint");
      checkpoint_.write(particles_);
    }
    const double next = stress();
    const Routine task("11 time step");
    MPI_Allreduce(&next, &step_, 1, MPI_DOUBLE, MPI_MIN, MPI_COMM_WORLD);
  }

private:
  using Numbers = Transfers::Numbers;

  /// A particle in this rank's columns, and the place of its numbers in messages.
  struct Visitor {
    double number;
    Corners corners;
    std::size_t rank;
    std::size_t index;
  };

  void find_cells() {
    const Routine task("1 positions");
    transfers_.sort(particles_);
    const Numbers in = transfers_.to_cells(3, [&](std::size_t i, double* out) {
      out[0] = static_cast<double>(deal_.number(deal_.ranks.mine, static_cast<std::int64_t>(i)));
      out[1] = particles_[i].x;
      out[2] = particles_[i].y;
    });
    visitors_.clear();
    const auto first = deal_.first_column(deal_.ranks.mine);
    for (std::size_t r = 0; r < in.size(); ++r)
      for (std::size_t i = 0; i < in[r].size() / 3; ++i) {
        const double* const one = &in[r][3 * i];
        const double column = std::floor(one[1]);
        const double row = std::floor(one[2]);
        visitors_.push_back(
            {one[0],
             {static_cast<std::int64_t>(column) - first, static_cast<std::int64_t>(row), one[1] - column, one[2] - row},
             r,
             i});
      }
    std::ranges::sort(visitors_, {}, &Visitor::number);
  }

  void sum_masses(Nodes& masses) {
    const Routine task("2 masses and momenta");
    const Numbers in = transfers_.to_cells(3, [&](std::size_t i, double* out) {
      out[0] = particle_mass;
      out[1] = particle_mass * particles_[i].vx;
      out[2] = particle_mass * particles_[i].vy;
    });
    bring(in, 3, masses, [](const Corners& c, int right, int up, const double* one, std::size_t which) {
      return c.weight(right, up) * one[which];
    });
    Nodes::each(masses, masses, [](const double* mass, double* node) {
      node[1] /= *mass;
      node[2] /= *mass;
    });
  }

  void sum_forces(const Nodes& masses, Nodes& forces) {
    const Routine task("3 forces");
    const Numbers in = transfers_.to_cells(3, [&](std::size_t i, double* out) {
      constexpr double volume = particle_mass; // with a density of 1
      out[0] = volume * particles_[i].sxx;
      out[1] = volume * particles_[i].syy;
      out[2] = volume * particles_[i].sxy;
    });
    bring(in, 3, forces, [](const Corners& c, int right, int up, const double* one, std::size_t which) {
      return which == 0 ? -(one[0] * c.along_x(right, up) + one[2] * c.along_y(right, up))
                        : -(one[2] * c.along_x(right, up) + one[1] * c.along_y(right, up));
    });
    Nodes::each(masses, forces, [](const double* mass, double* force) {
      force[0] /= *mass;
      force[1] /= *mass;
    });
  }

  void accelerate(const Nodes& accelerations) {
    const Routine task("4 accelerations");
    look(
        2,
        [&](const Corners& c, double* out) {
          out[0] = accelerations.interpolated(c, 0);
          out[1] = accelerations.interpolated(c, 1);
        },
        [&](Particle& one, const double* in) {
          one.vx += step_ * in[0];
          one.vy += step_ * in[1];
        });
  }

  void move(Nodes& masses, Nodes& accelerations) {
    const Routine task("5 velocities");
    Nodes::each(masses, accelerations, [this](double* node, const double* acceleration) {
      node[1] += step_ * acceleration[0];
      node[2] += step_ * acceleration[1];
    });
    look(
        2,
        [&](const Corners& c, double* out) {
          out[0] = masses.interpolated(c, 1);
          out[1] = masses.interpolated(c, 2);
        },
        [&](Particle& one, const double* in) {
          one.x = wrapped(one.x + step_ * in[0], deal_.p.columns);
          one.y = wrapped(one.y + step_ * in[1], deal_.p.rows);
        });
  }

  void strain(const Nodes& velocities) {
    const Routine task("6 gradients");
    strains_.resize(particles_.size());
    look(
        4,
        [&](const Corners& c, double* out) {
          for (std::size_t v = 0; v < 2; ++v) {
            out[2 * v] = Nodes::over_corners(
                [&](int right, int up) { return c.along_x(right, up) * velocities.at(c, right, up, 1 + v); });
            out[2 * v + 1] = Nodes::over_corners(
                [&](int right, int up) { return c.along_y(right, up) * velocities.at(c, right, up, 1 + v); });
          }
        },
        [&](Particle& one, const double* in) {
          strains_[static_cast<std::size_t>(&one - particles_.data())] = {in[0], in[3], in[1] + in[2]};
        });
  }

  void sum_heat(const Nodes& masses, Nodes& heat) {
    const Routine task("7 heat");
    const Numbers in =
        transfers_.to_cells(1, [&](std::size_t i, double* out) { *out = particle_mass * particles_[i].temperature; });
    bring(in, 1, heat, [](const Corners& c, int right, int up, const double* one, std::size_t) {
      return c.weight(right, up) * *one;
    });
    Nodes::each(masses, heat, [](const double* mass, double* node) { *node /= *mass; });
  }

  void mix(const Nodes& temperatures) {
    const Routine task("8 temperatures");
    look(
        1, [&](const Corners& c, double* out) { *out = temperatures.interpolated(c, 0); },
        [&](Particle& one, const double* in) { one.temperature += heat_share * (*in - one.temperature); });
  }

  /// Computes the stresses of all particles. Returns the largest length of the next step.
  double stress() {
    const Routine task("10 stresses");
    double fastest = 0;
    for (std::size_t i = 0; i < particles_.size(); ++i) {
      Particle& one = particles_[i];
      const auto& [xx, yy, xy] = strains_[i];
      const double both = lambda * (xx + yy);
      one.sxx += step_ * (both + 2 * mu * xx);
      one.syy += step_ * (both + 2 * mu * yy);
      one.sxy += step_ * mu * xy;
      fastest = std::max({fastest, std::abs(one.vx), std::abs(one.vy)});
    }
    work("material", particles_.size(), deal_.p.material_ns);
    return deal_.p.courant / (1 + fastest);
  }

  /// Adds `contribution`(a particle's `brought` numbers) to the corners of each particle's cell, and completes the sums
  /// of the nodes.
  template <class Contribution>
  void bring(const Numbers& in, std::size_t brought, Nodes& to, Contribution&& contribution) {
    for (const Visitor& one : visitors_)
      for (const int right : {0, 1})
        for (const int up : {0, 1})
          for (std::size_t which = 0; which < to.width(); ++which)
            to.add(one.corners, right, up, which,
                   contribution(one.corners, right, up, &in[one.rank][one.index * brought], which));
    work("interpolate", visitors_.size(), deal_.p.grid_ns);
    to.sum();
  }
  /// Calls make(corners, `width` numbers) for each particle on the rank of its cell, and take(particle, these numbers)
  /// on the particle's own rank.
  template <class Make, class Take> void look(std::size_t width, Make&& make, Take&& take) {
    Numbers out(static_cast<std::size_t>(deal_.ranks.count));
    for (std::size_t r = 0; r < out.size(); ++r) out[r].resize(in_of(r) * width);
    for (const Visitor& one : visitors_) make(one.corners, &out[one.rank][one.index * width]);
    work("interpolate", visitors_.size(), deal_.p.grid_ns);
    transfers_.to_particles(width, std::move(out),
                            [&](std::size_t i, const double* numbers) { take(particles_[i], numbers); });
  }
  std::size_t in_of(std::size_t rank) const { return static_cast<std::size_t>(transfers_.here()[rank]); }
  /// Charges one particle (with those that it represents) after the other, so that periodic samples of a profile see
  /// how far the work has come.
  void work(const char* name, std::size_t particles, Nanoseconds each) const {
    for (; particles > 0; --particles) {
      const Routine routine(name);
      hypermon_charge(static_cast<double>(deal_.p.represents), each);
    }
  }

  const Deal& deal_;
  Transfers transfers_;
  Checkpoint checkpoint_;
  std::vector<Particle> particles_;
  std::vector<Visitor> visitors_;
  std::vector<std::array<double, 3>> strains_;
  double step_;
};

/// In the order of the particles' numbers.
bool write_answer(const Deal& deal, const std::vector<Particle>& mine, const std::string& path) {
  std::vector<Particle> all(static_cast<std::size_t>(deal.particles()));
  collect(
      deal.ranks, mine, [&](int rank) { return deal.own(rank); },
      [&](int rank, const std::vector<Particle>& part) {
        for (std::size_t i = 0; i < part.size(); ++i)
          all[static_cast<std::size_t>(deal.number(rank, static_cast<std::int64_t>(i)))] = part[i];
      });
  constexpr std::int64_t columns = sizeof(Particle) / sizeof(double);
  return deal.ranks.mine != 0 || write_npy(path, "<f8", sizeof(double), all.data(), deal.particles(), columns);
}

int run(const Arguments<PhasesParams>& arguments, Ranks ranks) {
  const auto& p = arguments.params;
  const Deal deal{p, ranks};
  if (ranks.count > p.columns)
    return refuse(ranks, "--columns=" + std::to_string(p.columns) + ": fewer than the " + std::to_string(ranks.count) +
                             " ranks");
  std::vector<Particle> last;
  {
    Body body(deal);
    for (std::int64_t i = 1; i <= p.iterations; ++i) {
      body.step(i);
      hypermon_profile_dump();
    }
    last = body.particles();
  }
  measure(false); // the answer is not part of the measured program
  if (arguments.output.empty()) return 0;
  return write_answer(deal, last, arguments.output) ? 0 : cannot_write;
}
} // namespace

int main(int argc, char** argv) { return run_program<PhasesParams>(argc, argv, run); }
