// The collections that were opened in any tab. They are stored in IndexedDB, which has room for large files.
const DATABASE = "soffio-board";
/** Maximum number of collections that are stored. */
const MAX_COLLECTIONS = 20;

/** Waits for a request to the database. */
const done = (request) => new Promise((resolve, reject) => {
  request.onsuccess = () => resolve(request.result);
  request.onerror = () => reject(request.error);
});

export class Archive {
  constructor() {
    this.opened = null;
  }

  /** Opens the database. The texts are stored separately from the metadata, because they are large. */
  open() {
    this.opened ||= new Promise((resolve, reject) => {
      const request = indexedDB.open(DATABASE, 1);
      request.onupgradeneeded = () => {
        request.result.createObjectStore("facts", { keyPath: "id" });
        request.result.createObjectStore("texts");
      };
      done(request).then(resolve, reject);
    });
    return this.opened;
  }

  async with(mode, act) {
    const database = await this.open();
    const change = database.transaction(["facts", "texts"], mode);
    return act(change.objectStore("facts"), change.objectStore("texts"));
  }

  /** Returns the metadata of all collections, most recent first; none if the browser does not allow storage. */
  async all() {
    const metadata = await this.with("readonly", (metadata) => done(metadata.getAll())).catch(() => []);
    return metadata.sort((one, other) => other.time - one.time);
  }

  /** Returns the text of a collection, or `null` if it is no longer stored. */
  async text(id) {
    return (await this.with("readonly", (_, texts) => done(texts.get(id))).catch(() => null)) ?? null;
  }

  /** Stores a collection, given by its metadata and its text, and removes the oldest ones. */
  async keep(metadata, text) {
    const surplus = (await this.all()).filter(({ id }) => id !== metadata.id).slice(MAX_COLLECTIONS - 1);
    await this.with("readwrite", (all, texts) => {
      for (const { id } of surplus) for (const store of [all, texts]) store.delete(id);
      texts.put(text, metadata.id);
      return done(all.put({ ...metadata, time: Date.now() }));
    });
  }

  forget(id) {
    return this.with("readwrite", (all, texts) => {
      texts.delete(id);
      return done(all.delete(id));
    });
  }
}
