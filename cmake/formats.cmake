# The file formats' libraries, for wadi_io. What is found is used; what is not is told, here and at run time. Sets
#     wadi_io_definitions, wadi_io_libraries  for the build
#     wadi_io_packages, wadi_io_modules       for CMake and pkg-config users of the static library
set(wadi_io_definitions)
set(wadi_io_libraries)
set(wadi_io_packages)
set(wadi_io_modules)
if(NOT "io" IN_LIST WADI_COMPONENTS)
    return()
endif()

# wadi_format(NAME TARGET CMAKE_PACKAGE PKG_CONFIG_MODULE DEBIAN_PACKAGE)
macro(wadi_format name target package module debian)
    find_package(${package} QUIET)
    if(TARGET ${target})
        list(APPEND wadi_io_definitions WADI_WITH_${name})
        list(APPEND wadi_io_libraries ${target})
        list(APPEND wadi_io_packages ${package})
        string(APPEND wadi_io_modules " ${module}")
        message(STATUS "${name}: built")
    else()
        message(STATUS "${name}: not built, install ${debian}")
    endif()
endmacro()

wadi_format(PNG PNG::PNG PNG libpng libpng-dev)
wadi_format(TIFF TIFF::TIFF TIFF libtiff-4 libtiff-dev)
wadi_format(EXR OpenEXR::OpenEXRCore OpenEXR OpenEXR libopenexr-dev)
# Its own .pc file names what GDAL is made from, dozens of libraries that a program need not have: see install.cmake.
wadi_format(GDAL GDAL::GDAL GDAL "" libgdal-dev)

# libgeotiff has neither kind of file everywhere. It stands on PROJ, which must be told not to print.
find_path(GeoTIFF_INCLUDE_DIR geotiff.h PATH_SUFFIXES geotiff libgeotiff)
find_library(GeoTIFF_LIBRARY geotiff)
find_library(PROJ_LIBRARY proj)
mark_as_advanced(GeoTIFF_INCLUDE_DIR GeoTIFF_LIBRARY PROJ_LIBRARY)
if(GeoTIFF_INCLUDE_DIR AND GeoTIFF_LIBRARY AND PROJ_LIBRARY AND TARGET TIFF::TIFF)
    list(APPEND wadi_io_definitions WADI_WITH_GEOTIFF)
    list(APPEND wadi_io_libraries geotiff proj)
    message(STATUS "GEOTIFF: built")
else()
    set(GeoTIFF_INCLUDE_DIR "")
    message(STATUS "GEOTIFF: not built, install libgeotiff-dev")
endif()
