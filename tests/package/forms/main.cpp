#ifdef DOLMEN_KERNEL_FILE
#error "this file has no kernels"
#endif

int kernel();
int helper();

int main() { return kernel() + helper() == 10 ? 0 : 1; }
