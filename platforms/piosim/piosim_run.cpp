#include "platforms/piosim/piosim_run.hpp"
#include "platforms/cosim/simgrid_date.hpp"
#include "platforms/machine/agenda.hpp"
#include "platforms/piosim/params.hpp"

#include <algorithm>
#include <map>

namespace hypermon {
namespace {

using simgrid::kernel::timer::Timer;

/// What shall happen at SimGrid's dates.
class Clock {
public:
  void at(Time date, Agenda::Action action) {
    if (!action) return;
    agenda_.advance(std::max(agenda_.now(), std::min(simgrid_now(), agenda_.next())));
    agenda_.at(date, std::move(action));
    arm();
  }
  bool busy() const { return agenda_.next() != Time::never(); }

private:
  void arm() {
    const Time next = agenda_.next();
    if (next == armed_) return;
    if (timer_ != nullptr) timer_->remove();
    timer_ = nullptr;
    armed_ = next;
    if (next == Time::never()) return;
    timer_ = set_timer(next, [this, next] {
      timer_ = nullptr;
      armed_ = Time::never();
      agenda_.advance(next);
      arm();
    });
  }
  Agenda agenda_;
  Timer* timer_ = nullptr;
  Time armed_ = Time::never();
};

class IdealNetwork : public PacketNetwork {
public:
  explicit IdealNetwork(Clock& clock) : clock_(clock) {}
  void send(Station, Station, std::int64_t, OperationId, Done left, Done arrived) override {
    clock_.at(simgrid_now(), std::move(left));
    clock_.at(simgrid_now(), std::move(arrived));
  }
  void work(Station, std::int64_t, Done done) override { clock_.at(simgrid_now(), std::move(done)); }
  void step(Station, Done done) override { clock_.at(simgrid_now(), std::move(done)); }

private:
  Clock& clock_;
};

class IdealFiles : public ParallelFileSystem {
public:
  IdealFiles(Clock& clock, const PfsParams& params) : clock_(clock), params_(params) {}
  FileId file(const std::string& name) override {
    const auto [found, _] = numbers_.try_emplace(name, static_cast<std::uint32_t>(numbers_.size()));
    return FileId{found->second};
  }
  void submit(FileRequest request, std::function<void(FileAnswer)> done) override {
    std::int64_t bytes = 0;
    for (const FileRegion& region : request.regions) {
      std::int64_t& size = sizes_[request.file];
      if (request.kind == FileRequest::Kind::write) size = std::max(size, region.offset + region.bytes);
      bytes += std::clamp<std::int64_t>(size - region.offset, 0, region.bytes);
    }
    clock_.at(simgrid_now(), [done = std::move(done), bytes] { done({FileAnswer::Error::none, bytes}); });
  }
  std::int64_t size(FileId file) const override {
    const auto found = sizes_.find(file);
    return found == sizes_.end() ? 0 : found->second;
  }
  void resize(FileId file, std::int64_t bytes) override { sizes_[file] = bytes; }
  void remove(FileId file) override { sizes_.erase(file); }
  std::int64_t regions_per_request() const override { return params_.regions_per_request; }
  std::int64_t stripe_bytes() const override { return params_.stripe_bytes.number; }

private:
  Clock& clock_;
  PfsParams params_;
  std::map<std::string, std::uint32_t> numbers_;
  std::map<FileId, std::int64_t> sizes_;
};

} // namespace

struct PiosimRun::State {
  Clock clock{};
  IdealNetwork network{clock};
  std::unique_ptr<IdealFiles> files{};
};

PiosimRun::PiosimRun(const Spec& spec, std::size_t /*places*/, const IoObservers& /*observers*/) : state_(new State) {
  if (spec.get<PfsParams>().servers > 0)
    state_->files = std::make_unique<IdealFiles>(state_->clock, spec.get<PfsParams>());
}
PiosimRun::~PiosimRun() = default;

PacketNetwork& PiosimRun::network() { return state_->network; }
ParallelFileSystem* PiosimRun::files() { return state_->files.get(); }
bool PiosimRun::under_way() const { return state_->clock.busy(); }
void PiosimRun::report(nlohmann::ordered_json& /*result*/) const {}

std::unique_ptr<PiosimRun> make_piosim(const Spec& spec, std::size_t places, const IoObservers& observers) {
  if (spec.get<PacketParams>().network == PacketModel::off) return nullptr;
  return std::make_unique<PiosimRun>(spec, places, observers);
}

} // namespace hypermon
