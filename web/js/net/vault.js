/**
 * What this device keeps between visits, in the origin's IndexedDB. No cookie: browsers send a host's cookies to every
 * port of it, and so to every development server there.
 */

const NAME = "cdev";
const STORE = "kept";
/** After so many milliseconds without an answer the person is told. Storage that works takes a few. */
const PATIENCE = 5000;

/** Nothing was read or written; the message is for the person. */
export class StorageError extends Error {}

/** The storage did not answer in time. It may still do what it was asked, or answer when it is asked again. */
export class StorageSilent extends StorageError {}

/** @returns {Promise<IDBDatabase>} */
function open() {
  return new Promise((resolve, reject) => {
    const opening = indexedDB.open(NAME, 1);
    opening.onupgradeneeded = () => opening.result.createObjectStore(STORE);
    opening.onsuccess = () => resolve(opening.result);
    opening.onerror = () => reject(opening.error);
  });
}

/**
 * @template T
 * @param {IDBTransactionMode} mode @param {(store: IDBObjectStore) => IDBRequest<T>} act
 * @returns {Promise<T>} once it is on the disk
 */
async function within(mode, act) {
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let timer;
  const silence = new Promise((_, reject) => {
    timer = setTimeout(() => reject(new StorageSilent("This browser’s storage does not answer.")), PATIENCE);
  });
  try {
    return await Promise.race([transact(mode, act), silence]);
  } catch (error) {
    if (error instanceof StorageError) throw error;
    throw new StorageError(`This browser keeps nothing for this page: ${error instanceof Error ? error.message : error}`);
  } finally {
    clearTimeout(timer);
  }
}

/** As `within`, but waits for ever. @template T @param {IDBTransactionMode} mode @param {(store: IDBObjectStore) => IDBRequest<T>} act */
async function transact(mode, act) {
  const database = await open();
  try {
    return await new Promise((resolve, reject) => {
      const transaction = database.transaction(STORE, mode);
      const request = act(transaction.objectStore(STORE));
      transaction.oncomplete = () => resolve(request.result);
      transaction.onabort = transaction.onerror = () => reject(transaction.error);
    });
  } finally {
    database.close();
  }
}

/** @param {string} key @returns {Promise<any>} */
export const recall = (key) => within("readonly", (store) => store.get(key));

/** @param {string} key @param {any} value */
export const keep = (key, value) => within("readwrite", (store) => store.put(value, key));

/** @param {string} key */
export const forget = (key) => within("readwrite", (store) => store.delete(key));

/** All of it: what was kept belongs to who was let in. */
export const forgetAll = () => within("readwrite", (store) => store.clear());
