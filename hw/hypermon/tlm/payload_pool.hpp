// SPDX-License-Identifier: BSD-3-Clause
// Memory manager of an initiator's transactions (tlm_mm_interface).
#pragma once
#include <memory>
#include <tlm>
#include <vector>

namespace hypermon {

/// Creates a payload when none is free, and reuses payloads. The pool must outlive all users of its payloads: it is a
/// member of the initiator that fills them. A module that keeps a payload beyond a call or phase must acquire it.
class PayloadPool : public tlm::tlm_mm_interface {
public:
  PayloadPool() = default;
  PayloadPool(const PayloadPool&) = delete;
  PayloadPool& operator=(const PayloadPool&) = delete;

  /// A payload with one reference, held by the caller. Attributes and extensions that are not automatic keep the values
  /// of the last use.
  tlm::tlm_generic_payload& acquire() {
    if (free_.empty()) {
      all_.push_back(std::make_unique<tlm::tlm_generic_payload>(this));
      free_.push_back(all_.back().get());
    }
    tlm::tlm_generic_payload& payload = *free_.back();
    free_.pop_back();
    payload.acquire();
    return payload;
  }
  /// Called when the last reference was released. Deletes automatic extensions.
  void free(tlm::tlm_generic_payload* payload) override {
    payload->reset();
    free_.push_back(payload);
  }

  std::size_t made() const { return all_.size(); }
  std::size_t in_use() const { return all_.size() - free_.size(); }

private:
  std::vector<std::unique_ptr<tlm::tlm_generic_payload>> all_;
  std::vector<tlm::tlm_generic_payload*> free_;
};

/// Payload, with an extension, of an initiator that has one transaction at a time. The same payload is reused unless a
/// target or a listener has kept it.
template <class Extension> class ReusedPayload {
public:
  ReusedPayload() { renew(); }
  ReusedPayload(const ReusedPayload&) = delete;
  ReusedPayload& operator=(const ReusedPayload&) = delete;

  tlm::tlm_generic_payload& payload() {
    if (payload_->get_ref_count() > 1) [[unlikely]] {
      payload_->release();
      renew();
    }
    return *payload_;
  }
  /// Extension of the payload last returned.
  Extension& extension() { return *extension_; }

private:
  void renew() {
    payload_ = &pool_.acquire();
    extension_ = payload_->get_extension<Extension>();
    if (extension_ == nullptr) payload_->set_extension(extension_ = new Extension); // deleted with the payload
  }

  PayloadPool pool_;
  tlm::tlm_generic_payload* payload_ = nullptr;
  Extension* extension_ = nullptr;
};

} // namespace hypermon
