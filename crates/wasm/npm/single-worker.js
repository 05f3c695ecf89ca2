// The end of the classic worker that holds its module, for pages that are opened from a disk. SINGLE is the module, packed by gzip and
// written in base64.
serve(async () => {
  const packed = Uint8Array.from(atob(SINGLE), (letter) => letter.charCodeAt(0));
  const bytes = new Blob([packed]).stream().pipeThrough(new DecompressionStream("gzip"));
  return WebAssembly.compile(await new Response(bytes).arrayBuffer());
}, messages(null));
