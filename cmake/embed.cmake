# cmake -D OUTPUT=FILE.c -D NAME=ARRAY -D ROOT=FOLDER -D FILES=A:B:... -P embed.cmake
# Texts as C arrays: what programs for GPUs are put together from at run time.
string(REPLACE ":" ";" files "${FILES}")
set(arrays)
set(table)
set(number 0)
foreach(file IN LISTS files)
    file(READ ${ROOT}/${file} text HEX)
    string(REGEX REPLACE "(..)" "0x\\1," bytes "${text}")
    string(REGEX REPLACE "(................................................................................)" "\\1\n"
        bytes "${bytes}")
    string(APPEND arrays "static const char text${number}[] = {${bytes}0};\n")
    string(APPEND table "    {\"${file}\", text${number}},\n")
    math(EXPR number "${number} + 1")
endforeach()
file(WRITE ${OUTPUT}
    "#include \"engine/gpu/codegen/source_text.h\"\n\n${arrays}\nextern const wadi_text ${NAME}[];\nconst wadi_text ${NAME}[] = {\n${table}    {0, 0},\n};\n")
