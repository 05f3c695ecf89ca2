// The last part of the classic worker that contains its module, for pages that are opened from disk. SINGLE is the module,
// compressed with gzip and encoded in base64.
serve(async () => {
  const packed = Uint8Array.from(atob(SINGLE), (letter) => letter.charCodeAt(0));
  const bytes = new Blob([packed]).stream().pipeThrough(new DecompressionStream("gzip"));
  return WebAssembly.compile(await new Response(bytes).arrayBuffer());
}, messages(null));
