# wadi_library(NAME OUTPUT SOURCES...): a library compiled once (target NAME_objects) and packed twice, as NAME_shared and
# NAME_static, with the file name OUTPUT.
function(wadi_library name output)
    add_library(${name}_objects OBJECT ${ARGN})
    target_link_libraries(${name}_objects PRIVATE wadi_flags)
    target_include_directories(${name}_objects PRIVATE
        ${PROJECT_SOURCE_DIR} ${PROJECT_SOURCE_DIR}/src ${PROJECT_SOURCE_DIR}/platform)
    # WADI_SHARED counts on Windows only, where exported functions must be marked; marked ones may be static too.
    target_compile_definitions(${name}_objects PRIVATE WADI_BUILDING WADI_SHARED)

    if(EMSCRIPTEN) # has no shared libraries: this one is never built
        add_library(${name}_shared STATIC EXCLUDE_FROM_ALL $<TARGET_OBJECTS:${name}_objects>)
        set_target_properties(${name}_shared PROPERTIES ARCHIVE_OUTPUT_DIRECTORY shared)
    else()
        add_library(${name}_shared SHARED $<TARGET_OBJECTS:${name}_objects>)
    endif()
    add_library(${name}_static STATIC $<TARGET_OBJECTS:${name}_objects>)
    target_compile_definitions(${name}_shared INTERFACE $<$<PLATFORM_ID:Windows>:WADI_SHARED>)
    # Code compiled for OpenMP needs its run-time library, whatever language links it.
    separate_arguments(openmp UNIX_COMMAND "${OpenMP_C_FLAGS}")
    target_link_options(${name}_shared PRIVATE ${openmp})
    target_link_options(${name}_static INTERFACE ${openmp})
    foreach(kind shared static)
        set_target_properties(${name}_${kind} PROPERTIES OUTPUT_NAME ${output} LINKER_LANGUAGE C
            VERSION ${PROJECT_VERSION} SOVERSION ${WADI_ABI}
            INSTALL_RPATH $ORIGIN) # one finds another beside it
        target_include_directories(${name}_${kind} INTERFACE
            $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include> $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
        if(UNIX)
            target_link_libraries(${name}_${kind} PRIVATE m)
        endif()
    endforeach()
endfunction()
