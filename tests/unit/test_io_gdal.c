/* Reading through GDAL uses local files only: it opens no connection and waits for no pipe. */
#define _DEFAULT_SOURCE /* mkfifo, sockets */

#include <math.h>
#include <netinet/in.h>
#include <poll.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "io/formats.h"
#include "unit/io_files.h"

/* libgdal's; NULL where it is not linked. */
extern void GDALAllRegister(void) __attribute__((weak));

static bytes file;
static int listening;
static char host[64]; /* "127.0.0.1:PORT" */

static int set_up(void **state) {
    (void)state;
    alarm(60); /* a wait on a pipe ends the test */
    listening = socket(AF_INET, SOCK_STREAM, 0);
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t size = sizeof address;
    if (listening < 0 || bind(listening, (struct sockaddr *)&address, size) != 0 || listen(listening, 64) != 0)
        return -1;
    if (getsockname(listening, (struct sockaddr *)&address, &size) != 0) return -1;
    snprintf(host, sizeof host, "127.0.0.1:%d", ntohs(address.sin_port));
    static const float heights[12] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12};
    make_tiff(&file, &(tiff_image){.width = 4, .height = 3, .bits = 32, .format = 3, .samples = heights});
    save("plain.tif", &file);
    return mkfifo("pipe.tif", 0600);
}

static void write_text(const char *path, const char *text) {
    FILE *out = fopen(path, "w");
    assert_non_null(out);
    assert_true(fputs(text, out) >= 0 && fclose(out) == 0);
}

/* A VRT of 4 x 3 cells: "%s" in `inside` is replaced by the host. */
static void write_vrt(const char *path, const char *kind, const char *inside) {
    char filled[2048], text[4096];
    snprintf(filled, sizeof filled, inside, host);
    snprintf(text, sizeof text,
             "<VRTDataset rasterXSize=\"4\" rasterYSize=\"3\"><VRTRasterBand dataType=\"Float32\" band=\"1\"%s>%s"
             "</VRTRasterBand></VRTDataset>",
             kind, filled);
    write_text(path, text);
}

static void write_vrt_of(const char *path, const char *source) {
    char inside[1024];
    snprintf(inside, sizeof inside,
             "<SimpleSource><SourceFilename relativeToVRT=\"0\">%s</SourceFilename><SourceBand>1</SourceBand>"
             "</SimpleSource>",
             source);
    write_vrt(path, "", inside);
}

static bool was_called(void) {
    struct pollfd wait = {.fd = listening, .events = POLLIN};
    return poll(&wait, 1, 0) > 0;
}

static void refused(const char *path, const char *says) {
    wadi_raster *raster;
    const wadi_status status = wadi_raster_read(path, NULL, &raster);
    assert_null(raster);
    if (was_called()) fail_msg("%s: a connection was tried", path);
    if (status == WADI_OK || strstr(wadi_error_message(), says) == NULL)
        fail_msg("%s: '%s' says not '%s'", path, wadi_error_message(), says);
}

static void assert_reads(const char *path) {
    wadi_raster *raster;
    if (wadi_raster_read(path, NULL, &raster) != WADI_OK) fail_msg("%s", wadi_error_message());
    assert_true(raster->width == 4 && raster->height == 3 && raster->values[11] == 12);
    wadi_raster_destroy(raster);
}

static const char *const outside[] = {
    "NETCDF:&quot;http://%s/x.nc&quot;:v",
    "NETCDF:http://%s/x.nc:v",
    "HDF5:&quot;/vsicurl/http://%s/x.h5&quot;://v",
    "/vsicurl/http://%s/x.tif",
    "/vsicurl_streaming/http://%s/x.tif",
    "/vsicurl?url=http://%s/x.tif",
    "/vsizip//vsicurl/http://%s/x.zip/x.tif",
    "/vsizip/vsicurl/http://%s/x.zip/x.tif",
    "/vsizip/{/vsicurl/http://%s/x.zip}/x.tif",
    "/vsigzip//vsicurl/http://%s/x.tif.gz",
    "/vsisubfile/0_100,/vsicurl/http://%s/x.tif",
    "vrt:///vsicurl/http://%s/x.tif",
    "http://%s/x.tif",
    "PG:host=127.0.0.1 port=1 dbname=x table=y %s",
    "WMS:http://%s/",
    "WCS:http://%s/",
    "&lt;GDAL_WMS&gt;&lt;ServerUrl&gt;http://%s/&lt;/ServerUrl&gt;&lt;/GDAL_WMS&gt;",
    "MEM:::DATAPOINTER=4096,PIXELS=4,LINES=3,DATATYPE=Float32",
};

static void vrts_with_remote_sources_are_refused(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof outside / sizeof *outside; i++) {
        write_vrt_of("outside.vrt", outside[i]);
        refused("outside.vrt", "outside.vrt: names '");
        write_vrt_of("around.vrt", "outside.vrt"); /* a VRT of the first VRT */
        refused("around.vrt", "around.vrt: names '");
    }
}

/* The user gives the same names directly. */
static void remote_names_are_refused(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof outside / sizeof *outside; i++) {
        char name[1024];
        snprintf(name, sizeof name, outside[i], host);
        for (char *quote; (quote = strstr(name, "&quot;")) != NULL;) {
            *quote = '"';
            memmove(quote + 1, quote + 6, strlen(quote + 6) + 1);
        }
        refused(name, name);
    }
}

/* A local file may refer to a network. The driver for that is not registered. */
static void local_files_of_remote_rasters(void **state) {
    (void)state;
    char text[2048];
    snprintf(text, sizeof text,
             "<GDAL_WMS><Service name=\"TMS\"><ServerUrl>http://%s/${z}/${x}/${y}.png</ServerUrl></Service><DataWindow>"
             "<UpperLeftX>0</UpperLeftX><UpperLeftY>4</UpperLeftY><LowerRightX>4</LowerRightX><LowerRightY>0"
             "</LowerRightY><SizeX>4</SizeX><SizeY>3</SizeY><TileLevel>0</TileLevel></DataWindow><BandsCount>1"
             "</BandsCount><BlockSizeX>4</BlockSizeX><BlockSizeY>3</BlockSizeY></GDAL_WMS>",
             host);
    write_text("remote.xml", text);
    refused("remote.xml", "remote.xml: is no raster");
    write_vrt_of("remote.vrt", "remote.xml");
    refused("remote.vrt", "remote.vrt: ");
}

static void pipes_and_devices(void **state) {
    (void)state;
    write_vrt_of("pipe.vrt", "pipe.tif");
    refused("pipe.vrt", "names 'pipe.tif'");
    write_vrt_of("pipe.vrt", "/vsigzip/pipe.tif");
    refused("pipe.vrt", "names '/vsigzip/pipe.tif'");
    write_vrt_of("pipe.vrt", "NETCDF:pipe.tif:v");
    refused("pipe.vrt", "names 'NETCDF:pipe.tif:v'");
    write_vrt_of("pipe.vrt", "/dev/zero");
    refused("pipe.vrt", "names '/dev/zero'");
    refused("/vsizip/pipe.tif/x.tif", "/vsizip/pipe.tif/x.tif");
    assert_int_equal(mkfifo("beside.prj", 0600), 0);
    write_text("beside.asc", "ncols 2\nnrows 2\nxllcorner 0\nyllcorner 0\ncellsize 5\n1 2\n3 4\n");
    refused("beside.asc", "beside.prj beside it is a device or a pipe");
    unlink("beside.prj");
}

/* Requests of a VRT that are refused: any file's bytes as heights, programs, drivers' options. */
static void vrts_with_other_requests_are_refused(void **state) {
    (void)state;
    write_vrt("more.vrt", " subClass=\"VRTRawRasterBand\"",
              "<SourceFilename relativetoVRT=\"0\">/etc/passwd</SourceFilename><ImageOffset>0</ImageOffset>");
    refused("more.vrt", "names 'VRTRawRasterBand'");
    write_vrt("more.vrt", "", "<SourceFilename>plain.tif</SourceFilename><ByteOrder>LSB</ByteOrder>");
    refused("more.vrt", "names 'ByteOrder'");
    write_vrt("more.vrt", " subClass=\"VRTDerivedRasterBand\"",
              "<PixelFunctionLanguage>Python</PixelFunctionLanguage>");
    refused("more.vrt", "names 'PixelFunctionLanguage'");
    write_vrt("more.vrt", "",
              "<SimpleSource><SourceFilename>plain.tif</SourceFilename><OpenOptions><OOI key=\"NUM_THREADS\">1</OOI>"
              "</OpenOptions></SimpleSource>");
    refused("more.vrt", "names 'OpenOptions'");
    write_vrt("more.vrt", "", "<Metadata domain=\"OVERVIEWS\"><MDI key=\"OVERVIEW_FILE\">http://%s</MDI></Metadata>");
    refused("more.vrt", "names 'OVERVIEWS'");
    write_text("more.vrt",
               "<VRTDataset rasterXSize=\"4\" rasterYSize=\"3\"><SRS>http://example.org/crs</SRS></VRTDataset>");
    refused("more.vrt", "as its CRS");
    write_vrt_of("more.vrt", "more.vrt");
    refused("more.vrt", "VRTs within VRTs");
    write_vrt_of("more.vrt", "/etc/passwd");
    refused("more.vrt", "more.vrt: ");
    write_text("plain.tif.msk", "<VRTDataset rasterXSize=\"4\" rasterYSize=\"3\"></VRTDataset>");
    write_vrt_of("more.vrt", "plain.tif");
    refused("more.vrt", "as its mask");
    unlink("plain.tif.msk");
}

static void vrts_with_local_sources_are_read(void **state) {
    (void)state;
    write_vrt_of("local.vrt", "plain.tif");
    assert_reads("local.vrt");
    write_vrt_of("outer.vrt", "local.vrt");
    assert_reads("outer.vrt");
}

static wadi_status read_encoded(const char *path, wadi_encoding encoding, wadi_raster **raster) {
    const wadi_read_options options = {.has_range = encoding <= WADI_ENCODING_BLUE, .high = 255, .encoding = encoding};
    return wadi_raster_read(path, &options, raster);
}

static void expect_cells(const char *path, wadi_encoding encoding, const float expected[4]) {
    wadi_raster *raster;
    if (read_encoded(path, encoding, &raster) != WADI_OK) fail_msg("%s", wadi_error_message());
    for (int i = 0; i < 4; i++)
        if (isnan(expected[i]) ? !isnan(raster->values[i]) : raster->values[i] != expected[i])
            fail_msg("%s, cell %d: %.9g, not %.9g", path, i, (double)raster->values[i], (double)expected[i]);
    wadi_raster_destroy(raster);
}

/* A VRT of the bands of tile.tif with these colours in order. */
static void write_colours(const char *path, const char *const colours[3], const char *more) {
    char text[4096] = "<VRTDataset rasterXSize=\"2\" rasterYSize=\"2\">";
    for (int i = 0; i < 3; i++)
        snprintf(text + strlen(text), sizeof text - strlen(text),
                 "<VRTRasterBand dataType=\"Byte\" band=\"%d\"><ColorInterp>%s</ColorInterp>%s<SimpleSource>"
                 "<SourceFilename>tile.tif</SourceFilename><SourceBand>%d</SourceBand></SimpleSource></VRTRasterBand>",
                 i + 1, colours[i], more, i + 1);
    snprintf(text + strlen(text), sizeof text - strlen(text), "</VRTDataset>");
    write_text(path, text);
}

/* tile.tif: 2 x 2 cells of red, green and blue */
static void save_colours(const uint8_t samples[12]) {
    make_tiff(&file, &(tiff_image){.width = 2,
                                   .height = 2,
                                   .bits = 8,
                                   .format = 1,
                                   .samples = samples,
                                   .samples_per_pixel = 3,
                                   .photometric = 2});
    save("tile.tif", &file);
}

static void colours(void **state) {
    (void)state;
    const uint8_t tile[12] = {128, 1, 64, 1, 134, 160, 0, 0, 0, 0, 7, 0};
    save_colours(tile);
    const char *const rgb[3] = {"Red", "Green", "Blue"}, *const bgr[3] = {"Blue", "Green", "Red"},
                      *const grey[3] = {"Gray", "Undefined", "Undefined"};
    write_colours("tile.vrt", rgb, "");
    refused("tile.vrt", "in colours; say how they hold the height: encoding luminance");
    expect_cells("tile.vrt", WADI_ENCODING_TERRARIUM, (float[]){1.25f, -32377.375f, -32768, -32761});
    expect_cells("tile.vrt", WADI_ENCODING_GREEN, (float[]){1, 134, 0, 7});
    write_colours("tile.vrt", bgr, "");
    expect_cells("tile.vrt", WADI_ENCODING_BLUE, (float[]){128, 1, 0, 0});
    write_colours("tile.vrt", rgb, "<NoDataValue>0</NoDataValue>");
    expect_cells("tile.vrt", WADI_ENCODING_TERRARIUM, (float[]){1.25f, -32377.375f, NAN, -32761});
    write_colours("tile.vrt", grey, "");
    refused("tile.vrt", "has 3 bands; say which has the heights: band 1, 2 or 3");
    const uint8_t same[12] = {9, 9, 9, 8, 8, 8, 0, 0, 0, 255, 255, 255};
    save_colours(same);
    write_colours("tile.vrt", rgb, "");
    expect_cells("tile.vrt", WADI_ENCODING_NONE, (float[]){9, 8, 0, 255});
}

static void expect_band(const char *path, const char *band, const float expected[4]) {
    const wadi_read_options options = {.has_range = true, .high = 255, .band = band};
    wadi_raster *raster;
    if (wadi_raster_read(path, &options, &raster) != WADI_OK) fail_msg("%s", wadi_error_message());
    for (int i = 0; i < 4; i++)
        if (raster->values[i] != expected[i])
            fail_msg("%s, band %s, cell %d: %.9g", path, band, i, (double)raster->values[i]);
    wadi_raster_destroy(raster);
}

static void band_is_refused(const char *path, const char *band, const char *says) {
    const wadi_read_options options = {.band = band};
    wadi_raster *raster;
    assert_int_equal(wadi_raster_read(path, &options, &raster), WADI_ERROR_ARGUMENT);
    if (strstr(wadi_error_message(), says) == NULL) fail_msg("'%s' says not '%s'", wadi_error_message(), says);
}

static void bands_by_number_and_name(void **state) {
    (void)state;
    const uint8_t tile[12] = {128, 1, 64, 1, 134, 160, 0, 0, 0, 0, 7, 0};
    save_colours(tile);
    const char *const rgb[3] = {"Red", "Green", "Blue"};
    write_colours("tile.vrt", rgb, "<Description>slope</Description>");
    for (int i = 0; i < 2; i++) {
        const char *path = i == 0 ? "tile.tif" : "tile.vrt";
        expect_band(path, "1", (float[]){128, 1, 0, 0});
        expect_band(path, "3", (float[]){64, 160, 0, 0});
        static const char *const wrong[] = {"0", "4", "-1", "1.5", "", "99999999999999999999", "Slope"};
        for (size_t w = 0; w < sizeof wrong / sizeof *wrong; w++) band_is_refused(path, wrong[w], "; its bands are 1");
    }
    expect_band("tile.vrt", "slope", (float[]){128, 1, 0, 0}); /* the first of that name */
    band_is_refused("plain.tif", "2", "has one band");
}

/* The header of an ERS raster can name any file as its data. */
static void ers_headers_that_name_a_file(void **state) {
    (void)state;
    static const char *const head =
        "DatasetHeader Begin\nVersion = \"6.0\"\nDataSetType = ERStorage\nDataType = Raster\n%s"
        "ByteOrder = LSBFirst\nRasterInfo Begin\nCellType = Unsigned8BitInteger\n"
        "NrOfLines = 2\nNrOfCellsPerLine = 2\nNrOfBands = 1\nRasterInfo End\n"
        "DatasetHeader End\n";
    char text[1024];
    write_text("grid", "abcd");
    snprintf(text, sizeof text, head, "");
    write_text("grid.ers", text);
    expect_cells("grid.ers", WADI_ENCODING_NONE, (float[]){'a', 'b', 'c', 'd'});
    snprintf(text, sizeof text, head, "DataFile = \"pipe.tif\"\n");
    write_text("grid.ers", text);
    refused("grid.ers", "as its data file, which is not read here");
}

/* A classic netCDF file of 4 x 3 floats z(y, x). */
static const uint8_t netcdf[96] = {
    'C', 'D', 'F', 1, 0, 0, 0, 0, 0, 0, 0, 10, 0, 0, 0, 2, 0, 0, 0, 1,  'y', 0, 0, 0, 0, 0, 0, 3,  0,   0, 0, 1,
    'x', 0,   0,   0, 0, 0, 0, 4, 0, 0, 0, 0,  0, 0, 0, 0, 0, 0, 0, 11, 0,   0, 0, 1, 0, 0, 0, 1,  'z', 0, 0, 0,
    0,   0,   0,   2, 0, 0, 0, 0, 0, 0, 0, 1,  0, 0, 0, 0, 0, 0, 0, 0,  0,   0, 0, 5, 0, 0, 0, 48, 0,   0, 0, 96};

static bool is_sound(const uint8_t *bytes, size_t count) {
    io_input input = {.name = "grid.nc", .bytes = bytes, .size = count};
    return io_netcdf_is_sound(&input);
}

static void netcdf_headers(void **state) {
    (void)state;
    assert_true(is_sound(netcdf, sizeof netcdf));
    assert_true(is_sound((const uint8_t *)"CDF\7", 4)); /* not classic netCDF */
    for (size_t count = 4; count < sizeof netcdf; count++) assert_false(is_sound(netcdf, count));
    static const size_t places[] = {11, 15, 19, 31, 43, 47, 51, 55,
                                    59, 67, 71, 75, 79, 83, 87}; /* tags, counts, dimensions, types */
    for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
        uint8_t damaged[sizeof netcdf];
        memcpy(damaged, netcdf, sizeof netcdf);
        damaged[places[i] - 1] = 0x7f;
        if (is_sound(damaged, sizeof damaged)) fail_msg("byte %zu", places[i]);
    }
    for (uint64_t count = 1024; count <= 1025; count++) { /* dimensions of the variable: all are y */
        file.count = 0;
        put(&file, netcdf, 64);
        put_be(&file, count, 4);
        for (uint64_t i = 0; i < count; i++) put_be(&file, 0, 4);
        put(&file, netcdf + 76, sizeof netcdf - 76);
        assert_true(is_sound(file.at, file.count) == (count == 1024));
    }
    file.count = 0;
    put(&file, netcdf, 60);
    save("damaged.nc", &file);
    refused("damaged.nc", "the header of damaged.nc is damaged");
    refused("NETCDF:damaged.nc:z", "the header of damaged.nc is damaged");
}

/* A Windows bitmap of 2 x 2 cells of 4 bytes, from the bottom row up. */
static void write_bitmap(const char *path, const uint8_t palette[4][4]) {
    file.count = 0;
    put(&file, "BM", 2);
    put_le(&file, 54 + 16 + 8, 4);
    put_le(&file, 0, 4);
    put_le(&file, 54 + 16, 4);
    put_le(&file, 40, 4);
    put_le(&file, 2, 4);
    put_le(&file, 2, 4);
    put_le(&file, 1, 2);
    put_le(&file, 8, 2);
    put_le(&file, 0, 4);
    put_le(&file, 8, 4);
    put_le(&file, 0, 8);
    put_le(&file, 4, 4);
    put_le(&file, 0, 4);
    put(&file, palette, 16);
    put(&file, (uint8_t[8]){2, 3, 0, 0, 0, 1, 0, 0}, 8);
    save(path, &file);
}

static void colour_tables(void **state) {
    (void)state;
    write_bitmap("table.bmp", (const uint8_t[4][4]){{9, 9, 9, 0}, {8, 8, 8, 0}, {7, 7, 7, 0}, {255, 255, 255, 0}});
    expect_cells("table.bmp", WADI_ENCODING_NONE, (float[]){9, 8, 7, 255});
    write_bitmap("table.bmp", (const uint8_t[4][4]){{64, 1, 128, 0}, {160, 134, 1, 0}, {0, 0, 0, 0}, {0, 7, 0, 0}});
    refused("table.bmp", "in colours; say how they hold the height: encoding luminance");
    expect_cells("table.bmp", WADI_ENCODING_TERRARIUM, (float[]){1.25f, -32377.375f, -32768, -32761});
}

/* In a program that has registered all drivers, a VRT could reach any of them. */
static void vrts_are_refused_where_remote_drivers_are_registered(void **state) {
    (void)state;
    GDALAllRegister();
    write_vrt_of("local.vrt", "plain.tif");
    refused("local.vrt", "this program has GDAL drivers that read from networks");
    local_files_of_remote_rasters(state);
    write_text("beside.asc", "ncols 4\nnrows 3\nxllcorner 0\nyllcorner 0\ncellsize 5\n1 2 3 4\n5 6 7 8\n9 10 11 12\n");
    assert_reads("beside.asc");
}

int main(void) {
    if (!wadi_format_available(WADI_FORMAT_GDAL, NULL)) return 77;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(vrts_with_remote_sources_are_refused),
        cmocka_unit_test(remote_names_are_refused),
        cmocka_unit_test(local_files_of_remote_rasters),
        cmocka_unit_test(pipes_and_devices),
        cmocka_unit_test(vrts_with_other_requests_are_refused),
        cmocka_unit_test(vrts_with_local_sources_are_read),
        cmocka_unit_test(colours),
        cmocka_unit_test(colour_tables),
        cmocka_unit_test(bands_by_number_and_name),
        cmocka_unit_test(netcdf_headers),
        cmocka_unit_test(ers_headers_that_name_a_file),
        cmocka_unit_test(
            vrts_are_refused_where_remote_drivers_are_registered), /* last, because its drivers stay registered */
    };
    return cmocka_run_group_tests(tests, set_up, NULL);
}
