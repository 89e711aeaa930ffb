// A model's profile as the page edits it: the JSON of its file. Fields that the form does not show stay as they are.

/** Profile is a profile's file, as far as the form shows it. */
export interface Profile {
  schema: string;
  name: string;
  base_url: string;
  model: string;
  key: { env?: string; keyring?: string };
  concurrency?: number;
  max_tokens?: number;
  temperature?: number;
  logprobs?: number;
  structured?: string;
  image: { mime?: string; long_side?: number };
  boxes: { space?: string; order?: string };
}

/** profileText writes a profile as its file holds it; what is at its default is left out. */
export const profileText = (p: Profile): string => {
  const bare = <T extends object>(o: T) => Object.fromEntries(Object.entries(o).filter(([, v]) => v !== '' && v !== 0));
  const { image, boxes, key, ...rest } = p;
  return JSON.stringify({ ...bare(rest), key: bare(key), image: bare(image), boxes: bare(boxes) }, null, 2);
};

/** newProfile is a blank one. */
export const newProfile = (): string =>
  JSON.stringify(
    { schema: 'plumbline.profile/1', name: '', base_url: '', model: '', timeouts: {}, key: {}, image: {}, boxes: {} },
    null,
    2,
  );

const isObject = (v: unknown): v is Record<string, unknown> => typeof v === 'object' && v !== null && !Array.isArray(v);

/** profileOf reads a profile's JSON; undefined where it is none. */
export const profileOf = (text: string): Profile | undefined => {
  try {
    const p: unknown = JSON.parse(text);
    if (!isObject(p)) return undefined;
    const part = (v: unknown) => (isObject(v) ? v : {});
    const word = (v: unknown) => (typeof v === 'string' ? v : '');
    return {
      ...p,
      schema: word(p.schema),
      name: word(p.name),
      base_url: word(p.base_url),
      model: word(p.model),
      key: part(p.key),
      image: part(p.image),
      boxes: part(p.boxes),
    };
  } catch {
    return undefined;
  }
};

/** keyOf tells where a profile's key lies. */
export const keyOf = (text: string): 'none' | 'env' | 'keyring' => {
  const key = profileOf(text)?.key;
  if (key && typeof key.env === 'string') return 'env';
  return key && typeof key.keyring === 'string' ? 'keyring' : 'none';
};
