# Helpers for the Windows tests, for scripts that source this file: the compiler, the Rust target, and Wine with a
# separate prefix.
# shellcheck shell=bash

windows_target=x86_64-pc-windows-gnu

# shellcheck source=tests/tools.sh
. "$(dirname "${BASH_SOURCE[0]}")/../tools.sh"

# need_windows_builds: installs everything that `cargo build --target $windows_target` needs.
need_windows_builds() {
    need_packages x86_64-w64-mingw32-gcc gcc-mingw-w64-x86-64
    rustup target add "$windows_target" || skip "the target $windows_target cannot be added"
}

# need_wine <folder>: installs Wine, which keeps its files in the folder and uses no display.
need_wine() {
    need_packages wine wine wine64
    export WINEPREFIX=$1 WINEDEBUG=-all WINEDLLOVERRIDES="mscoree=;mshtml=;winemenubuilder.exe=d"
    unset DISPLAY
    mkdir -p "$WINEPREFIX"
    local system=$WINEPREFIX/drive_c/windows/system32
    [[ -d $system ]] || wine wineboot --init >/dev/null 2>&1
    # Before version 9, Wine lacks a Windows library from which Rust programs obtain random numbers.
    if ! ls "$system/bcryptprimitives.dll" /usr/lib/*/wine/*/bcryptprimitives.dll >/dev/null 2>&1; then
        x86_64-w64-mingw32-gcc -shared -O1 -o "$system/bcryptprimitives.dll" \
            "$(dirname "${BASH_SOURCE[0]}")/bcryptprimitives.c" -ladvapi32
    fi
    wine cmd /c exit >/dev/null 2>&1 || skip "Wine does not run here"
}
