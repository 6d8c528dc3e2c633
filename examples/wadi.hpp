/* wadi.hpp: Wadi for C++17: simulations that free themselves, errors as exceptions. Copy it into your program; it needs
 * libwadi alone. raii.cpp shows its use. */
#ifndef WADI_HPP
#define WADI_HPP

#include <wadi/wadi.h>

#include <cstdint>
#include <exception>
#include <functional>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

namespace wadi {

class error : public std::runtime_error {
  public:
    explicit error(wadi_status status) : std::runtime_error(wadi_error_message()), status(status) {}
    const wadi_status status;
};

inline void check(wadi_status status) {
    if (status != WADI_OK) throw error(status);
}

/* A definition: its members are those of wadi_def. */
struct definition : wadi_def {
    definition(const std::string &model, int width, int height, double cell_m = 1)
        : wadi_def(wadi_default_def(found(wadi_model_find(model.c_str())), width, height, cell_m, cell_m)) {}

    definition &set(const std::string &parameter, double value) {
        check(wadi_def_set(this, parameter.c_str(), value));
        return *this;
    }

  private:
    static const wadi_model *found(const wadi_model *model) {
        if (model == nullptr) throw error(WADI_ERROR_ARGUMENT);
        return model;
    }
};

class simulation {
  public:
    explicit simulation(const definition &def) : sim(create(def), wadi_sim_destroy) {}

    void set(const std::string &field, const std::vector<float> &values) {
        check(wadi_sim_set(sim.get(), field.c_str(), values.data(), values.size()));
    }

    std::vector<float> get(const std::string &field) const {
        std::vector<float> values(cells());
        check(wadi_sim_get(sim.get(), field.c_str(), values.data(), values.size()));
        return values;
    }

    std::vector<wadi_field_facts> fields() const {
        std::vector<wadi_field_facts> all(wadi_sim_fields(sim.get(), nullptr, 0));
        wadi_sim_fields(sim.get(), all.data(), all.size());
        return all;
    }

    /* `go_on` is called between passes, and stops the steps by false. An exception stops them too, and goes through.
     * Returns the steps made. */
    std::int64_t step(std::int64_t steps, const std::function<bool(std::int64_t done)> &go_on = nullptr) {
        const std::int64_t before = wadi_sim_steps(sim.get());
        watcher watching{go_on, nullptr};
        check(wadi_sim_step_with(sim.get(), steps, go_on ? watch : nullptr, &watching));
        if (watching.thrown) std::rethrow_exception(watching.thrown);
        return wadi_sim_steps(sim.get()) - before;
    }

    wadi_mass mass() const {
        wadi_mass result;
        check(wadi_sim_mass(sim.get(), &result));
        return result;
    }

    std::int64_t steps() const { return wadi_sim_steps(sim.get()); }
    std::size_t cells() const {
        const wadi_def *def = wadi_sim_def(sim.get());
        return static_cast<std::size_t>(def->width) * static_cast<std::size_t>(def->height);
    }
    wadi_sim *get() const { return sim.get(); } /* for all other calls */

  private:
    struct watcher {
        const std::function<bool(std::int64_t)> &go_on;
        std::exception_ptr thrown;
    };

    /* An exception may not pass through the library's frames. */
    static bool watch(void *context, std::int64_t done, std::int64_t) {
        auto *watching = static_cast<watcher *>(context);
        try {
            return watching->go_on(done);
        } catch (...) {
            watching->thrown = std::current_exception();
            return false;
        }
    }

    static wadi_sim *create(const definition &def) {
        wadi_sim *made;
        check(wadi_sim_create(&def, &made));
        return made;
    }

    std::unique_ptr<wadi_sim, void (*)(wadi_sim *)> sim;
};

} // namespace wadi

#endif
