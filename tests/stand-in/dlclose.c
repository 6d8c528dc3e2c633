/* dlclose.c: keeps loaded libraries loaded, in sanitizer builds. A leak report names the library that leaked, by which
 * tests/leaks.supp knows Mesa's; of one that was unloaded before the check, the report knows nothing. */
int dlclose(void *handle);
__attribute__((visibility("default"))) int dlclose(void *handle) {
    (void)handle;
    return 0;
}
