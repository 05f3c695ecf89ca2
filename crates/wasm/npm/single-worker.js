// The last part of the classic worker that contains its files, for pages that are opened from disk. The build adds
// `SINGLE`, the module compressed with gzip and encoded in base64, and `WEIGHTS`, the weights files encoded in base64.

const decode = (text) => Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));

serve(
  async () => {
    const bytes = new Blob([decode(SINGLE)]).stream().pipeThrough(new DecompressionStream("gzip"));
    return WebAssembly.compile(await new Response(bytes).arrayBuffer());
  },
  async (name) => decode(WEIGHTS[name]),
  messages(null),
);
