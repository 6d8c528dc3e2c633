# What is installed: headers, libraries, the command (see cli/), wadiConfig.cmake and the .pc files.
include(CMakePackageConfigHelpers)
set(package_folder ${CMAKE_INSTALL_LIBDIR}/cmake/wadi)

install(DIRECTORY ${PROJECT_SOURCE_DIR}/include/wadi DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} FILES_MATCHING PATTERN "*.h")

# wadi_install(TARGET_PREFIX EXPORTED_NAME): an export set of its own for each component.
function(wadi_install prefix name)
    set_target_properties(${prefix}_shared PROPERTIES EXPORT_NAME ${name})
    set_target_properties(${prefix}_static PROPERTIES EXPORT_NAME ${name}_static)
    install(TARGETS ${prefix}_shared ${prefix}_static EXPORT ${prefix})
    install(EXPORT ${prefix} NAMESPACE wadi:: DESTINATION ${package_folder} FILE ${prefix}Targets.cmake)
endfunction()
wadi_install(wadi wadi)
wadi_install(wadi_io io)
wadi_install(wadi_render render)
wadi_install(wadi_run run)
if(MPI_C_FOUND)
    wadi_install(wadi_mpi mpi)
endif()

configure_package_config_file(cmake/wadiConfig.cmake.in ${PROJECT_BINARY_DIR}/wadiConfig.cmake
    INSTALL_DESTINATION ${package_folder} NO_SET_AND_CHECK_MACRO)
write_basic_package_version_file(${PROJECT_BINARY_DIR}/wadiConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/wadiConfig.cmake ${PROJECT_BINARY_DIR}/wadiConfigVersion.cmake
    DESTINATION ${package_folder})

# The .pc files find the prefix from where they lie, so that an installation can be moved.
file(RELATIVE_PATH pc_prefix /prefix/${CMAKE_INSTALL_LIBDIR}/pkgconfig /prefix)
string(REGEX REPLACE "/$" "" pc_prefix ${pc_prefix})

# wadi_pkgconfig(NAME DESCRIPTION REQUIRES REQUIRES_PRIVATE LIBS_PRIVATE)
function(wadi_pkgconfig pc_name pc_description pc_requires pc_requires_private pc_libs_private)
    configure_file(cmake/wadi.pc.in ${pc_name}.pc @ONLY)
    install(FILES ${PROJECT_BINARY_DIR}/${pc_name}.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
endfunction()
set(run_time "${OpenMP_C_FLAGS} -lm")
if(GeoTIFF_INCLUDE_DIR)
    set(geotiff "-lgeotiff -lproj")
endif()
set(run_time_core ${run_time})
if(CMAKE_DL_LIBS)
    string(APPEND run_time_core " -l${CMAKE_DL_LIBS}")
endif()
wadi_pkgconfig(wadi "${PROJECT_DESCRIPTION}" "" "" "${run_time_core}")
wadi_pkgconfig(wadi_io "Rasters from and to files, for Wadi" "wadi = ${PROJECT_VERSION}" "${wadi_io_modules}"
    "${geotiff} ${run_time}")
if(EPOXY_FOUND)
    set(epoxy epoxy)
endif()
wadi_pkgconfig(wadi_render "Maps and landscapes drawn as pictures, for Wadi" "wadi = ${PROJECT_VERSION}" "${epoxy}"
    "${run_time}")
wadi_pkgconfig(wadi_run "Whole runs of recipes in run folders, for Wadi"
    "wadi_io = ${PROJECT_VERSION}, wadi_render = ${PROJECT_VERSION}" "${wadi_run_modules}" "${run_time}")
if(MPI_C_FOUND)
    list(JOIN MPI_C_LIBRARIES " " mpi)
    wadi_pkgconfig(wadi_mpi "A team of MPI processes, for Wadi" "wadi = ${PROJECT_VERSION}" "" "${mpi}")
endif()
