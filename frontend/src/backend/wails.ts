// The real desk, by the bound methods and events of Wails.
import * as App from '../wailsjs/go/app/App';
import { EventsOn, OnFileDrop, OnFileDropOff } from '../wailsjs/runtime/runtime';
import type { Backend, Progress } from './client';

type Acts = Record<string, (...given: unknown[]) => Promise<unknown>>;

/** act calls one bound method; what is generated is the union of the acts of this build. */
const act =
  <T>(name: string) =>
  (...given: unknown[]): Promise<T> => {
    const bound = (App as unknown as Acts)[name];
    if (!bound) return Promise.reject({ kind: 'internal', op: name, of: '', text: `this build has no ${name}` });
    return bound(...given) as Promise<T>;
  };

const part = encodeURIComponent;

/** wailsBackend is the desk behind the window. */
export const wailsBackend = (): Backend => ({
  start: act('Start'),
  mark: act('Mark'),
  state: act('State'),
  acceptNotice: act('AcceptNotice'),
  openSample: act('OpenSample'),
  openWorkspace: act('OpenWorkspace'),
  chooseFolder: act('ChooseFolder'),
  import: act('Import'),
  cancel: act('Cancel'),
  problems: act('Problems'),
  cases: act('Cases'),
  openCase: act('OpenCase'),
  look: act('Look'),
  rate: act('Rate'),
  rateChain: act('RateChain'),
  sign: act('Sign'),
  setReader: act('SetReader'),
  report: act('Report'),
  saveReport: act('SaveReport'),
  preferences: act('Preferences'),
  setPreferences: act('SetPreferences'),
  about: act('About'),
  rubric: act('Rubric'),
  frameURL: (id, image, n) => `/frames/${part(id)}/${part(image)}/${n}`,
  thumbURL: (id, image, n) => `/thumbs/${part(id)}/${part(image)}/${n}`,
  onProgress: (listener) => {
    let last = -1;
    return EventsOn('progress', (p: Progress) => {
      if (p.seq <= last) return; // events may arrive out of order
      last = p.seq;
      listener(p);
    });
  },
  onDrop: (listener) => {
    OnFileDrop((_x, _y, paths) => listener(paths), false);
    return OnFileDropOff;
  },
});
