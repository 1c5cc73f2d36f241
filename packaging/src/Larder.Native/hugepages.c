// Prepares the memory of the tables that .NET unpacks when the program starts: 8 MB in the section .hydrated, which is the last one of the program. Every page of
// them is written. One request for all pages is faster than one page fault for each of them, and huge pages need fewer requests (ADR-0116).
#include <stdint.h>
#include <sys/mman.h>

// The linker defines both: the start of the zero-filled sections, which are .bss (0.4 MB) and .hydrated, and the end of the program.
extern char __bss_start[], _end[];

// Runs before .NET unpacks the tables. If the kernel does not support a request, the request fails, and the pages are created one by one.
__attribute__((constructor)) static void prepare_pages(void)
{
    // madvise requires the start of a page, and 64 KiB is the largest page size.
    const uintptr_t page = 64 * 1024;
    uintptr_t start = ((uintptr_t)__bss_start + page - 1) & -page;
    uintptr_t end = (uintptr_t)_end;
    if (start < end)
    {
        (void)madvise((void *)start, end - start, MADV_HUGEPAGE);
        (void)madvise((void *)start, end - start, MADV_POPULATE_WRITE);
    }
}
