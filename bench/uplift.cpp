// Uplift against rivers by fastscapelib, for bench/uplift.sh, which explains the case.
//     uplift run CELLS CELL_M U K M DT FROM.r32 TO.r32    until steady; prints steps, CPU seconds, and what `look`
//     prints uplift look CELLS CELL_M U K M FROM.r32             mean and highest height, hypsometric integral, and the
//     share of
//                                                         the cells whose slope is within 2 % of U / (K A^M)
#include <cassert>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <fstream>
#include <vector>

#include "xtensor/containers/xarray.hpp"
#include "xtensor/core/xmath.hpp"

#include "fastscapelib/eroders/spl.hpp"
#include "fastscapelib/flow/flow_graph.hpp"
#include "fastscapelib/flow/flow_router.hpp"
#include "fastscapelib/flow/sink_resolver.hpp"
#include "fastscapelib/grid/raster_grid.hpp"

namespace fs = fastscapelib;
using grid_type = fs::raster_grid<>;
using graph_type = fs::flow_graph<grid_type>;
using heights = xt::xarray<double>;

struct setting {
    size_t cells;
    double cell_m, uplift, erodibility, m;
};

static heights read(const char *path, size_t cells) {
    std::vector<float> values(cells * cells);
    std::ifstream file(path, std::ios::binary);
    if (!file.read(reinterpret_cast<char *>(values.data()), (std::streamsize)(values.size() * sizeof(float)))) {
        std::fprintf(stderr, "uplift: %s: cannot be read\n", path);
        std::exit(1);
    }
    heights z = xt::zeros<double>({cells, cells});
    for (size_t i = 0; i < values.size(); i++) z.flat(i) = (double)values[i];
    return z;
}

static void write(const char *path, const heights &z) {
    std::vector<float> values(z.begin(), z.end());
    std::ofstream(path, std::ios::binary)
        .write(reinterpret_cast<const char *>(values.data()), (std::streamsize)(values.size() * sizeof(float)));
}

static grid_type grid_of(const setting &s) {
    return grid_type({s.cells, s.cells}, {s.cell_m, s.cell_m},
                     fs::raster_boundary_status(fs::node_status::fixed_value));
}

// The share of the cells whose slope is the steady one. Rivers go to the steepest neighbour; nothing is filled.
static double steady_share(const setting &s, const heights &z) {
    grid_type grid = grid_of(s);
    graph_type graph(grid, {fs::single_flow_router()});
    graph.update_routes(z);
    heights area = xt::zeros<double>({s.cells, s.cells});
    graph.accumulate(area, 1.0);
    size_t steady = 0, all = 0;
    for (size_t y = 1; y + 1 < s.cells; y++)
        for (size_t x = 1; x + 1 < s.cells; x++) {
            const size_t i = y * s.cells + x, to = graph.impl().receivers()(i, 0);
            const double slope = (z.flat(i) - z.flat(to)) / graph.impl().receivers_distance()(i, 0);
            steady += std::fabs(slope * s.erodibility * std::pow(area.flat(i), s.m) / s.uplift - 1) < 0.02;
            all++;
        }
    return (double)steady / (double)all;
}

static void print(const setting &s, const heights &z) {
    const double mean = xt::mean(z)(), high = xt::amax(z)();
    std::printf("%.1f %.1f %.4f %.4f\n", mean, high, mean / high, steady_share(s, z));
}

static void run(const setting &s, double dt, const char *from, const char *to) {
    grid_type grid = grid_of(s);
    graph_type graph(grid, {fs::single_flow_router(), fs::mst_sink_resolver()});
    auto rivers = fs::make_spl_eroder(graph, s.erodibility, s.m, 1.0, 1e-5);
    heights z = read(from, s.cells), area = xt::zeros<double>({s.cells, s.cells}), up = area, lifted = area;
    for (size_t y = 1; y + 1 < s.cells; y++)
        for (size_t x = 1; x + 1 < s.cells; x++) up(y, x) = s.uplift * dt;
    double seconds = 0;
    int steps = 0;
    for (bool done = false; !done && steps < 1000;) {
        const std::clock_t begin = std::clock();
        for (int i = 0; i < 5; i++, steps++) {
            lifted = z + up;
            graph.update_routes(lifted);
            graph.accumulate(area, 1.0);
            z = lifted - rivers.erode(lifted, area, dt);
        }
        seconds += (double)(std::clock() - begin) / CLOCKS_PER_SEC;
        done = steady_share(s, z) >= 0.99;
    }
    std::printf("%d %.3f ", steps, seconds);
    print(s, z);
    write(to, z);
}

int main(int argc, char **argv) {
    if (argc < 8) return 2;
    const setting s = {(size_t)std::atoi(argv[2]), std::atof(argv[3]), std::atof(argv[4]), std::atof(argv[5]),
                       std::atof(argv[6])};
    if (std::strcmp(argv[1], "run") == 0 && argc == 10)
        run(s, std::atof(argv[7]), argv[8], argv[9]);
    else
        print(s, read(argv[7], s.cells));
}
