/* The one function of bcryptprimitives.dll that programs of Rust use. Windows has the library; Wine has it from version 9 on,
 * and this is built for older ones alone. Nothing of it is in a release. */
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
