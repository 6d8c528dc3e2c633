/* cuda.cpp: a stand-in for NVIDIA's driver and compiler, for tests where there is no such device: as much of both as
 * src/engine/gpu/driver/cuda.c calls. A kernel's text becomes C++, which the machine's compiler builds (STAND_IN_CXX,
 * with the headers in STAND_IN_FOLDER), and machine.cpp runs. */
#include "engine/gpu/driver/cuda_api.h"

#include <ctype.h>
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include <iterator>
#include <map>
#include <mutex>
#include <string>

#include "device.h"

#define DECLARE(result, name, arguments) extern "C" result name arguments;
CUDA_FUNCTIONS(DECLARE)
NVRTC_FUNCTIONS(DECLARE)

static std::mutex lock;

/* --- memory --- */

static const size_t page = (size_t)sysconf(_SC_PAGESIZE);

struct mapping {
    char *start;
    size_t bytes;
};
static std::map<char *, mapping> mappings;

/* A page before it and one behind it cannot be touched. */
char *device_memory(size_t bytes) {
    const size_t rounded = (bytes + 255) / 256 * 256, all = (rounded + page - 1) / page * page + 2 * page;
    char *const start = (char *)mmap(nullptr, all, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (start == MAP_FAILED || mprotect(start + page, all - 2 * page, PROT_READ | PROT_WRITE) != 0) return nullptr;
    char *const memory = start + all - page - rounded;
    memset(memory, 0xff, rounded);
    mappings[memory] = {start, all};
    return memory;
}

void device_free(char *memory) {
    const auto found = mappings.find(memory);
    if (found == mappings.end()) return;
    munmap(found->second.start, found->second.bytes);
    mappings.erase(found);
}

CUresult cuMemAlloc_v2(CUdeviceptr *memory, size_t bytes) {
    const std::lock_guard<std::mutex> held(lock);
    *memory = (CUdeviceptr)device_memory(bytes);
    return *memory != 0 ? CUDA_SUCCESS : CUDA_ERROR_OUT_OF_MEMORY;
}
static std::map<CUdeviceptr, int> opened; /* by other processes */
CUresult cuMemFree_v2(CUdeviceptr memory) {
    const std::lock_guard<std::mutex> held(lock);
    if (opened[memory] > 0) {
        fputs("stand-in: memory is freed that another process has open\n", stderr);
        abort();
    }
    device_free((char *)memory);
    return CUDA_SUCCESS;
}
CUresult cuMemGetInfo_v2(size_t *left, size_t *all) {
    *left = *all = (size_t)4 << 30;
    return CUDA_SUCCESS;
}
CUresult cuMemcpyHtoDAsync_v2(CUdeviceptr to, const void *from, size_t bytes, CUstream) {
    memcpy((void *)to, from, bytes);
    return CUDA_SUCCESS;
}
CUresult cuMemcpyDtoHAsync_v2(void *to, CUdeviceptr from, size_t bytes, CUstream) {
    memcpy(to, (const void *)from, bytes);
    return CUDA_SUCCESS;
}
CUresult cuMemcpyDtoDAsync_v2(CUdeviceptr to, CUdeviceptr from, size_t bytes, CUstream) {
    memcpy((void *)to, (const void *)from, bytes);
    return CUDA_SUCCESS;
}
/* Threads stand for processes: memory of another process is out of reach here. STAND_IN_ALONE: any memory is, as on
 * another machine. */
struct ipc_name {
    pid_t process;
    CUdeviceptr memory;
};
CUresult cuIpcGetMemHandle(CUipcMemHandle *handle, CUdeviceptr memory) {
    const ipc_name name = {getpid(), memory};
    memcpy(handle->reserved, &name, sizeof name);
    return CUDA_SUCCESS;
}
CUresult cuIpcOpenMemHandle_v2(CUdeviceptr *memory, CUipcMemHandle handle, unsigned) {
    ipc_name name;
    memcpy(&name, handle.reserved, sizeof name);
    if (name.process != getpid() || getenv("STAND_IN_ALONE") != nullptr) return CUDA_ERROR_OUT_OF_MEMORY;
    const std::lock_guard<std::mutex> held(lock);
    *memory = name.memory;
    opened[name.memory]++;
    return CUDA_SUCCESS;
}
CUresult cuIpcCloseMemHandle(CUdeviceptr memory) {
    const std::lock_guard<std::mutex> held(lock);
    opened[memory]--;
    return CUDA_SUCCESS;
}
CUresult cuMemcpyPeerAsync(CUdeviceptr to, CUcontext, CUdeviceptr from, CUcontext, size_t bytes, CUstream) {
    memcpy((void *)to, (const void *)from, bytes);
    return CUDA_SUCCESS;
}
CUresult cuCtxEnablePeerAccess(CUcontext, unsigned) { return CUDA_SUCCESS; }
CUresult cuMemcpy2DAsync_v2(const CUDA_MEMCPY2D *how, CUstream) {
    const bool from_host = how->srcMemoryType == CU_MEMORYTYPE_HOST, to_host = how->dstMemoryType == CU_MEMORYTYPE_HOST;
    const char *from = from_host ? (const char *)how->srcHost : (const char *)how->srcDevice;
    char *to = to_host ? (char *)how->dstHost : (char *)how->dstDevice;
    for (size_t y = 0; y < how->Height; y++)
        memcpy(to + y * how->dstPitch, from + y * how->srcPitch, how->WidthInBytes);
    return CUDA_SUCCESS;
}

/* --- the device --- */

enum { UNITS = 8, MOST_ITEMS = 1024, WARPS_OF_UNIT = 64, SHARED_BYTES = 232448, GRANTED_BYTES = 49152 };

CUresult cuInit(unsigned) { return CUDA_SUCCESS; }
CUresult cuDriverGetVersion(int *version) {
    *version = 12080;
    return CUDA_SUCCESS;
}
CUresult cuGetErrorName(CUresult, const char **name) {
    *name = "an error of the stand-in's";
    return CUDA_SUCCESS;
}
CUresult cuDeviceGetCount(int *count) {
    *count = 1;
    return CUDA_SUCCESS;
}
CUresult cuDeviceGet(CUdevice *device, int number) {
    *device = number;
    return CUDA_SUCCESS;
}
CUresult cuDeviceGetName(char *name, int size, CUdevice) {
    snprintf(name, (size_t)size, "stand-in");
    return CUDA_SUCCESS;
}
CUresult cuDeviceGetPCIBusId(char *, int, CUdevice) { return CUDA_ERROR_INVALID_VALUE; }
CUresult cuDeviceGetAttribute(int *value, int what, CUdevice) {
    static const std::map<int, int> values = {{CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK, GRANTED_BYTES},
                                              {CU_DEVICE_ATTRIBUTE_MAX_PITCH, 0x7fffffff},
                                              {CU_DEVICE_ATTRIBUTE_CLOCK_RATE, 1000000},
                                              {CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT, UNITS},
                                              {CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR, 9},
                                              {CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR, 0},
                                              {CU_DEVICE_ATTRIBUTE_COOPERATIVE_LAUNCH, 1},
                                              {CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN, SHARED_BYTES}};
    const auto found = values.find(what);
    if (found == values.end()) return CUDA_ERROR_INVALID_VALUE;
    *value = found->second;
    return CUDA_SUCCESS;
}
CUresult cuDeviceTotalMem_v2(size_t *bytes, CUdevice) {
    *bytes = (size_t)4 << 30;
    return CUDA_SUCCESS;
}
CUresult cuDevicePrimaryCtxRetain(CUcontext *context, CUdevice) {
    *context = (CUcontext)&the_machine;
    return CUDA_SUCCESS;
}
static thread_local int contexts; /* that this thread has pushed */
CUresult cuDevicePrimaryCtxRelease_v2(CUdevice) {
    if (contexts > 0) {
        fputs("stand-in: a context is released that is current in this thread\n", stderr);
        abort();
    }
    return CUDA_SUCCESS;
}
CUresult cuCtxPushCurrent_v2(CUcontext) {
    contexts++;
    return CUDA_SUCCESS;
}
CUresult cuCtxPopCurrent_v2(CUcontext *) {
    if (contexts == 0) return CUDA_ERROR_INVALID_VALUE;
    contexts--;
    return CUDA_SUCCESS;
}
/* The type of memory, as an MPI asks for it. This one wants a current context. */
extern "C" CUresult cuPointerGetAttribute(void *type, int, CUdeviceptr pointer) {
    const std::lock_guard<std::mutex> held(lock);
    const auto found = mappings.upper_bound((char *)pointer);
    if (contexts == 0 || found == mappings.begin()) return CUDA_ERROR_INVALID_VALUE;
    const mapping &before = std::prev(found)->second;
    if ((char *)pointer >= before.start + before.bytes) return CUDA_ERROR_INVALID_VALUE;
    *(unsigned *)type = CU_MEMORYTYPE_DEVICE;
    return CUDA_SUCCESS;
}
CUresult cuStreamCreate(CUstream *stream, unsigned) {
    *stream = (CUstream)&the_machine;
    return CUDA_SUCCESS;
}
CUresult cuStreamDestroy_v2(CUstream) { return CUDA_SUCCESS; }
CUresult cuStreamSynchronize(CUstream) { return CUDA_SUCCESS; }
CUresult cuGraphicsGLRegisterBuffer(CUgraphicsResource *, unsigned, unsigned) { return CUDA_ERROR_INVALID_VALUE; }
CUresult cuGraphicsUnregisterResource(CUgraphicsResource) { return CUDA_ERROR_INVALID_VALUE; }
CUresult cuGraphicsMapResources(unsigned, CUgraphicsResource *, CUstream) { return CUDA_ERROR_INVALID_VALUE; }
CUresult cuGraphicsUnmapResources(unsigned, CUgraphicsResource *, CUstream) { return CUDA_ERROR_INVALID_VALUE; }
CUresult cuGraphicsResourceGetMappedPointer_v2(CUdeviceptr *, size_t *, CUgraphicsResource) {
    return CUDA_ERROR_INVALID_VALUE;
}

/* --- files --- */

static bool write_file(const std::string &path, const std::string &content) {
    FILE *file = fopen(path.c_str(), "wb");
    if (file == nullptr) return false;
    const bool whole = fwrite(content.data(), 1, content.size(), file) == content.size();
    return fclose(file) == 0 && whole;
}

static std::string read_file(const std::string &path) {
    std::string content;
    char piece[65536];
    FILE *file = fopen(path.c_str(), "rb");
    for (size_t got; file != nullptr && (got = fread(piece, 1, sizeof piece, file)) > 0;) content.append(piece, got);
    if (file != nullptr) fclose(file);
    return content;
}

/* A folder of its own, which goes with all that may be in it. */
struct folder {
    std::string path;
    folder() {
        const char *where = getenv("TMPDIR");
        path = std::string(where != nullptr ? where : "/tmp") + "/stand-in-XXXXXX";
        if (mkdtemp(&path[0]) == nullptr) path.clear();
    }
    ~folder() {
        for (const char *name : {"text", "pure", "text.cpp", "module", "log"}) unlink((path + "/" + name).c_str());
        rmdir(path.c_str());
    }
    std::string operator/(const char *name) const { return path + "/" + name; }
};

/* --- the compiler --- */

/* What is built says how long it is. */
static const char title[8] = "standin";
struct head {
    char title[8];
    uint64_t bytes;
};

struct _nvrtcProgram {
    std::string text, image, log;
};

static bool is_of_name(char c) { return c == '_' || isalnum((unsigned char)c); }

/* Where a word stands, from `at` on. */
static size_t find_word(const std::string &text, const char *word, size_t at) {
    const size_t length = strlen(word);
    for (; (at = text.find(word, at)) != std::string::npos; at++)
        if ((at == 0 || !is_of_name(text[at - 1])) && !is_of_name(text[at + length])) return at;
    return at;
}

static size_t end_of_string(const std::string &text, size_t at) {
    for (at++; text[at] != '"'; at++) at += text[at] == '\\';
    return at;
}

/* What is in the parentheses of asm(), from its template to its end: a string that begins an operand is its constraint.
 */
static std::string operands_of(const std::string &text, size_t *at) {
    static const char *const parts[] = {"", "to_operand", "operand_of", ""};
    std::string made[4];
    int part = 0;
    for (int depth = 0;; ++*at) {
        const char c = text[*at];
        if (c == '"') {
            const size_t end = end_of_string(text, *at);
            made[part] += part == 0 ? text.substr(*at, end + 1 - *at) : parts[part];
            *at = end;
        } else if (c == ':' && depth == 0 && part < 3) {
            part++;
        } else {
            depth += (c == '(') - (c == ')');
            if (depth < 0) break;
            made[part] += c;
        }
    }
    const bool both = made[1].find('(') != std::string::npos && made[2].find('(') != std::string::npos;
    return "RUN(" + made[0] + ", " + made[1] + (both ? ", " : "") + made[2];
}

static std::string without_asm(const std::string &text) {
    std::string made;
    size_t from = 0;
    for (size_t at; (at = find_word(text, "asm", from)) != std::string::npos; from = at) {
        made += text.substr(from, at - from);
        at = text.find('(', at) + 1;
        made += operands_of(text, &at);
    }
    return made + text.substr(from);
}

/* The group's memory is at another place for each. */
static std::string with_memory(std::string text) {
    const std::string was = "extern __shared__ __align__(16) float dynamic[];";
    const size_t at = text.find(was);
    if (at != std::string::npos) text.replace(at, was.size(), "float *const dynamic = (float *)stand_in->shared;");
    return text;
}

/* A way to call each kernel without knowing its arguments. */
static std::string calls_of(const std::string &text) {
    std::string made;
    for (size_t at = 0; (at = text.find("__global__", at)) != std::string::npos; at++) {
        size_t begin = text.find("void", at) + 4;
        const size_t bounds = text.find("__launch_bounds__", begin), brace = text.find('{', begin);
        if (bounds < brace) begin = text.find(')', bounds) + 1;
        while (!is_of_name(text[begin])) begin++;
        size_t end = begin;
        while (is_of_name(text[end])) end++;
        made += "KERNEL_CALL(" + text.substr(begin, end - begin) + ")\n";
    }
    return made;
}

/* No option may change a bit. */
#if defined(__x86_64__)
#define FOR_THIS_MACHINE " -march=native"
#else
#define FOR_THIS_MACHINE ""
#endif
static const std::string preprocess = STAND_IN_CXX " -E -P -x c++ ";
static const std::string build = STAND_IN_CXX
    " -std=c++17 -O1 -ffp-contract=off -fno-math-errno -fno-strict-aliasing -fno-threadsafe-statics -fPIC -shared"
    " -Wl,-Bsymbolic -w -include " STAND_IN_FOLDER "/prelude.h" FOR_THIS_MACHINE " ";

static bool run(const std::string &command, const folder &in) {
    return system((command + " >" + in / "log" + " 2>&1").c_str()) == 0;
}

int nvrtcVersion(int *major, int *minor) {
    *major = 12, *minor = 8;
    return 0;
}
int nvrtcGetNumSupportedArchs(int *count) {
    *count = 1;
    return 0;
}
int nvrtcGetSupportedArchs(int *known) {
    *known = 90;
    return 0;
}
int nvrtcCreateProgram(nvrtcProgram *program, const char *text, const char *, int, const char *const *,
                       const char *const *) {
    *program = new _nvrtcProgram{text, "", ""};
    return 0;
}
int nvrtcDestroyProgram(nvrtcProgram *program) {
    delete *program;
    *program = nullptr;
    return 0;
}
int nvrtcCompileProgram(nvrtcProgram program, int, const char *const *) {
    const folder in;
    const std::string sub_groups = getenv("STAND_IN_SUB_GROUPS") != nullptr ? "-Dcl_intel_subgroups " : "";
    bool built =
        write_file(in / "text", program->text) && run(preprocess + sub_groups + in / "text" + " -o " + in / "pure", in);
    const std::string text = with_memory(without_asm(read_file(in / "pure")));
    built = built && write_file(in / "text.cpp", text + calls_of(text)) &&
            run(build + in / "text.cpp" + " -o " + in / "module -lm", in);
    program->log = read_file(in / "log");
    const std::string module = read_file(in / "module");
    head head = {"", module.size()};
    memcpy(head.title, title, sizeof title);
    program->image = std::string((const char *)&head, sizeof head) + module;
    return built ? 0 : 6;
}
int nvrtcGetCUBINSize(nvrtcProgram program, size_t *bytes) {
    *bytes = program->image.size();
    return 0;
}
int nvrtcGetCUBIN(nvrtcProgram program, char *to) {
    memcpy(to, program->image.data(), program->image.size());
    return 0;
}
int nvrtcGetPTXSize(nvrtcProgram, size_t *) { return 1; }
int nvrtcGetPTX(nvrtcProgram, char *) { return 1; }
int nvrtcGetProgramLogSize(nvrtcProgram program, size_t *bytes) {
    *bytes = program->log.size() + 1;
    return 0;
}
int nvrtcGetProgramLog(nvrtcProgram program, char *to) {
    memcpy(to, program->log.c_str(), program->log.size() + 1);
    return 0;
}
const char *nvrtcGetErrorString(int) { return "the stand-in cannot build it"; }

/* --- kernels --- */

struct CUfunc_st {
    void (*call)(const void *const *);
    int granted;
};

struct CUmod_st {
    void *library;
    std::map<std::string, CUfunc_st> functions;
};

CUresult cuModuleLoadData(CUmodule *module, const void *image) {
    const folder in;
    head head;
    memcpy(&head, image, sizeof head);
    if (memcmp(head.title, title, sizeof title) != 0 ||
        !write_file(in / "module", std::string((const char *)image + sizeof head, head.bytes)))
        return CUDA_ERROR_INVALID_VALUE;
    void *library = dlopen((in / "module").c_str(), RTLD_NOW | RTLD_LOCAL);
    if (library == nullptr) {
        fprintf(stderr, "stand-in for CUDA: %s\n", dlerror());
        return CUDA_ERROR_INVALID_VALUE;
    }
    *(machine **)dlsym(library, "stand_in") = &the_machine;
    *module = new CUmod_st{library, {}};
    return CUDA_SUCCESS;
}
CUresult cuModuleUnload(CUmodule module) {
    dlclose(module->library);
    delete module;
    return CUDA_SUCCESS;
}
CUresult cuModuleGetFunction(CUfunction *function, CUmodule module, const char *name) {
    void *call = dlsym(module->library, (std::string("call_") + name).c_str());
    if (call == nullptr) return CUDA_ERROR_INVALID_VALUE;
    *function = &module->functions[name];
    **function = {(void (*)(const void *const *))call, GRANTED_BYTES};
    return CUDA_SUCCESS;
}
CUresult cuFuncGetAttribute(int *value, int, CUfunction) {
    *value = MOST_ITEMS;
    return CUDA_SUCCESS;
}
CUresult cuFuncSetAttribute(CUfunction function, int, int bytes) {
    if (bytes > SHARED_BYTES) return CUDA_ERROR_INVALID_VALUE;
    function->granted = bytes;
    return CUDA_SUCCESS;
}
static CUresult launch(CUfunction function, place3 groups, unsigned items, unsigned bytes, const void *const *given,
                       bool together) {
    if (items > MOST_ITEMS || bytes > (unsigned)function->granted) return CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES;
    const std::lock_guard<std::mutex> held(lock);
    run_kernel(function->call, groups, items, bytes, given, together);
    return CUDA_SUCCESS;
}
CUresult cuLaunchKernel(CUfunction function, unsigned x, unsigned y, unsigned z, unsigned items, unsigned, unsigned,
                        unsigned bytes, CUstream, const void *const *given, void **) {
    return launch(function, {x, y, z}, items, bytes, given, false);
}
CUresult cuLaunchCooperativeKernel(CUfunction function, unsigned x, unsigned y, unsigned z, unsigned items, unsigned,
                                   unsigned, unsigned bytes, CUstream, const void *const *given) {
    return launch(function, {x, y, z}, items, bytes, given, true);
}
CUresult cuOccupancyMaxActiveBlocksPerMultiprocessor(int *groups, CUfunction, int items, size_t) {
    *groups = WARPS_OF_UNIT / ((items + 31) / 32);
    return CUDA_SUCCESS;
}
