/* The only function in bcryptprimitives.dll that Rust programs use. Windows has the library, Wine since version 9; this
 * file is built only for older versions. It is not part of a release. */
#include <windows.h>
#include <ntsecapi.h>

__declspec(dllexport) BOOL WINAPI ProcessPrng(PBYTE bytes, SIZE_T count)
{
    while (count > 0) {
        ULONG part = count > 0x10000 ? 0x10000 : (ULONG)count;
        if (!RtlGenRandom(bytes, part))
            return FALSE;
        bytes += part;
        count -= part;
    }
    return TRUE;
}
