/* raii.cpp: erodes a made-up terrain in C++, by wadi.hpp.
 *
 *     c++ -std=c++17 raii.cpp $(pkg-config --cflags --libs wadi) -o raii && ./raii
 */
#include "wadi.hpp"

#include <iostream>

static std::vector<float> make_terrain(int size) {
    std::vector<float> heights(static_cast<std::size_t>(size) * static_cast<std::size_t>(size));
    wadi_terrain terrain = wadi_default_terrain("diamond-square", size, size);
    terrain.seed = 7;
    wadi::check(wadi_terrain_generate(&terrain, heights.data()));
    return heights;
}

static double largest(const std::vector<float> &values) {
    double most = 0;
    for (const float value : values) most = value > most ? value : most;
    return most;
}

int main() try {
    const int size = 128;
    wadi::simulation sim(wadi::definition("jako2011", size, size).set("sediment-capacity", 2));
    sim.set("height", make_terrain(size));
    const auto made = sim.step(10000, [](std::int64_t done) { return done < 100; });
    for (const wadi_field_facts &field : sim.fields())
        if (!field.parameter)
            std::cout << field.name << ", " << field.unit << ": up to " << largest(sim.get(field.name)) << "\n";
    std::cout << made << " steps moved " << sim.mass().moved << " m3\n";
    try {
        wadi::definition("jako2011", size, size).set("sediment-capacity", -1);
    } catch (const wadi::error &wrong) {
        std::cout << "refused: " << wrong.what() << "\n";
    }
    return 0;
} catch (const std::exception &problem) {
    std::cerr << problem.what() << "\n";
    return 1;
}
