/* Rasters that GDAL reads, from bytes that anybody may have written: .asc grids, and .vrt files that stand on one. The
 * first byte says which. GDAL's other drivers are not ours to try. */
#include <string.h>

#include "as_file.h"
#include "check_raster.h"

static const char grid[] = "ncols 4\nnrows 3\nxllcorner 100\nyllcorner 200\ncellsize 10\nNODATA_value -9999\n"
                           "1 2 3 4\n5 -9999 7.5 8\n9 10 11 1e2\n";

/* GDAL takes what a header asks for before it looks whether the file can hold it. */
static bool has_large_number(const uint8_t *bytes, size_t count) {
    size_t digits = 0;
    for (size_t i = 0; i < count && digits < 6; i++) digits = bytes[i] >= '0' && bytes[i] <= '9' ? digits + 1 : 0;
    return digits == 6;
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t count);
int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t count) {
    if (count < 1 || has_large_number(bytes, count)) return 0;
    const bool vrt = (bytes[0] & 1) != 0;
    const wadi_read_options options = {.memory_limit = 1 << 22, .plain_values = (bytes[0] & 2) != 0};
    if (vrt) as_file("grid.asc", grid, sizeof grid - 1);
    const char *path = as_file(vrt ? "a.vrt" : "a.asc", bytes + 1, count - 1);
    wadi_raster *raster = NULL;
    check_raster(wadi_raster_read(path, &options, &raster), raster);
    return 0;
}

static void save_seed(const char *folder, const char *name, char choice, const char *text) {
    char path[4096];
    snprintf(path, sizeof path, "%s/seed-%s", folder, name);
    FILE *file = fopen(path, "wb");
    if (file == NULL || fputc(choice, file) == EOF || fputs(text, file) == EOF || fclose(file) != 0) abort();
}

int LLVMFuzzerInitialize(int *count, char ***arguments);
int LLVMFuzzerInitialize(int *count, char ***arguments) {
    static const char vrt[] =
        "<VRTDataset rasterXSize=\"4\" rasterYSize=\"3\"><SRS>EPSG:%s</SRS>"
        "<GeoTransform>100, 10, 0, 230, 0, %s</GeoTransform><VRTRasterBand dataType=\"%s\" band=\"1\">"
        "<NoDataValue>-9999</NoDataValue><UnitType>%s</UnitType><Scale>0.5</Scale><Offset>3</Offset>"
        "<%s><SourceFilename relativeToVRT=\"1\">grid.asc</SourceFilename><SourceBand>1</SourceBand>"
        "<SrcRect xOff=\"0\" yOff=\"0\" xSize=\"4\" ySize=\"3\"/><DstRect xOff=\"0\" yOff=\"0\" xSize=\"4\" "
        "ySize=\"3\"/>"
        "</%s></VRTRasterBand></VRTDataset>\n";
    static const char *const others[][5] = {{"32617", "-10", "Float32", "m", "SimpleSource"},
                                            {"4326", "-0.001", "Int16", "ft", "ComplexSource"},
                                            {"2225", "10", "Byte", "", "SimpleSource"},
                                            {"32617+8052", "-10", "Float64", "", "SimpleSource"}};
    const char *folder = NULL;
    char text[2048], name[32];
    for (int i = 1; i < *count && folder == NULL; i++)
        if ((*arguments)[i][0] != '-') folder = (*arguments)[i];
    if (folder == NULL || !platform_is_folder(folder)) return 0;
    save_seed(folder, "grid.asc", 0, grid);
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        const char *const *o = others[i];
        snprintf(text, sizeof text, vrt, o[0], o[1], o[2], o[3], o[4], o[4]);
        snprintf(name, sizeof name, "%zu.vrt", i);
        save_seed(folder, name, 1, text);
    }
    return 0;
}
