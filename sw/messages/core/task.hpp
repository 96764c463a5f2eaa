// SPDX-License-Identifier: BSD-3-Clause
// A rank's part of an operation of the MPI library, as a coroutine that waits for callbacks of the network. It needs no
// actor, so it goes on while the rank computes.
#pragma once
#include <coroutine>
#include <cstddef>
#include <functional>
#include <utility>
#include <vector>

namespace hypermon::messages {

/// A coroutine that begins when another one awaits it, or with run().
class [[nodiscard]] Task {
public:
  struct promise_type {
    std::coroutine_handle<> caller;
    std::size_t* others = nullptr; // tasks that the caller awaits together; the last one to end resumes it

    Task get_return_object() { return Task(std::coroutine_handle<promise_type>::from_promise(*this)); }
    std::suspend_always initial_suspend() noexcept { return {}; }
    struct End {
      bool await_ready() noexcept { return false; }
      std::coroutine_handle<> await_suspend(std::coroutine_handle<promise_type> ended) noexcept {
        promise_type& own = ended.promise();
        if (own.others != nullptr && --*own.others > 0) return std::noop_coroutine();
        return own.caller;
      }
      void await_resume() noexcept {}
    };
    End final_suspend() noexcept { return {}; }
    void return_void() {}
    void unhandled_exception() { throw; }
  };

  Task(Task&& other) noexcept : own_(std::exchange(other.own_, nullptr)) {}
  Task& operator=(Task&&) = delete;
  ~Task() {
    if (own_) own_.destroy();
  }

  bool await_ready() const { return false; }
  std::coroutine_handle<> await_suspend(std::coroutine_handle<> caller) {
    own_.promise().caller = caller;
    return own_;
  }
  void await_resume() const {}

private:
  friend class AllOf;
  explicit Task(std::coroutine_handle<promise_type> own) : own_(own) {}
  std::coroutine_handle<promise_type> own_;
};

/// Runs several tasks at once; done when all have ended.
class AllOf {
public:
  void add(Task task) { tasks_.push_back(std::move(task)); }
  bool await_ready() const { return tasks_.empty(); }
  bool await_suspend(std::coroutine_handle<> caller) {
    left_ = tasks_.size() + 1;
    for (Task& task : tasks_) {
      task.own_.promise().caller = caller;
      task.own_.promise().others = &left_;
      task.own_.resume();
    }
    return --left_ > 0;
  }
  void await_resume() const {}

private:
  std::vector<Task> tasks_;
  std::size_t left_ = 0;
};

namespace detail {
struct Alone {
  struct promise_type {
    Alone get_return_object() { return {}; }
    std::suspend_never initial_suspend() noexcept { return {}; }
    std::suspend_never final_suspend() noexcept { return {}; }
    void return_void() {}
    void unhandled_exception() { throw; }
  };
};
} // namespace detail

/// Begins the task. `done` is called when it has ended, which may be at once.
inline detail::Alone run(Task task, std::function<void()> done) {
  co_await task;
  done();
}

} // namespace hypermon::messages
