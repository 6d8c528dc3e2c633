/* dlclose.c: keeps loaded libraries loaded in sanitizer builds. tests/leaks.supp knows Mesa's libraries by name, and a
 * leak report can name a library only while it is loaded. */
int dlclose(void *handle);
__attribute__((visibility("default"))) int dlclose(void *handle) {
    (void)handle;
    return 0;
}
