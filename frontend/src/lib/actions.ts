// The one list of what can be done by key: buttons, menus, the footer's legend, the help sheet and Settings all read it.
import type { Bound } from './keys';
import { t } from './texts';

/** Scope is where the focus must be for a key to act. */
export type Scope = 'everywhere' | 'library' | 'reading' | 'steps' | 'image';

/** ActionInfo is what everybody may know of an action; what it does is given by the screen that offers it. */
export interface ActionInfo {
  id: string;
  label: string;
  group: keyof typeof t.groups;
  keys: Bound[];
}

/** Action is an action as a screen offers it now. */
export interface Action {
  id: ActionId;
  /** can says in words why the action is not possible now; '' or absent: it is. */
  can?: () => string;
  run: () => void;
}

const digits = [1, 2, 3, 4, 5, 6, 7, 8, 9] as const;
const presets = [1, 2, 3, 4, 5, 6, 7, 8] as const;

const a = <Id extends string>(
  id: Id,
  label: string,
  group: ActionInfo['group'],
  scope: Scope,
  ...keys: string[]
): ActionInfo & { id: Id } => ({ id, label, group, keys: keys.map((key) => ({ scope, key })) });

const fixed = [
  a('help', t.actions.help, 'everywhere', 'everywhere', '[Shift]+?'),
  a('go-library', t.actions.library, 'everywhere', 'everywhere', 'Alt+Digit1'),
  a('go-study', t.actions.study, 'everywhere', 'everywhere', 'Alt+Digit4'),
  a('go-report', t.actions.report, 'everywhere', 'everywhere', 'Alt+Digit2'),
  a('go-settings', t.actions.settings, 'everywhere', 'everywhere', 'Alt+Digit3'),
  a('go-adjudication', t.actions.adjudication, 'everywhere', 'everywhere', 'Alt+Digit6'),
  a('go-experiment', t.actions.experiment, 'everywhere', 'everywhere', 'Alt+Digit5'),
  a('go-compare', t.actions.compare, 'everywhere', 'everywhere', 'Alt+Digit7'),
  a('search', t.actions.search, 'library', 'library', '[Shift]+/'),
  a('resume', t.actions.resume, 'library', 'library', 'r'),
  a('next-case', t.actions.nextCase, 'cases', 'reading', 'n'),
  a('previous-case', t.actions.previousCase, 'cases', 'reading', 'p'),
  a('commit', t.actions.commit, 'cases', 'reading', 'Control+Enter'),
  a('phase', t.actions.phase, 'cases', 'reading', 'l'),
  a('context', t.actions.context, 'cases', 'reading', 'v'),
  a('next-step', t.actions.nextStep, 'steps', 'reading', 'j'),
  a('previous-step', t.actions.previousStep, 'steps', 'reading', 'k'),
  a('row-down', t.actions.rowDown, 'steps', 'steps', 'ArrowDown'),
  a('row-up', t.actions.rowUp, 'steps', 'steps', 'ArrowUp'),
  a('row-edit', t.actions.rowEdit, 'steps', 'steps', 'Enter'),
  a('to-region', t.actions.toRegion, 'steps', 'reading', 't'),
  a('adopt', t.actions.adopt, 'steps', 'steps', 'a'),
  a('own-answer', t.actions.ownAnswer, 'steps', 'reading', 'Shift+a'),
  a('undo', t.actions.undo, 'steps', 'reading', 'z'),
  a('redo', t.actions.redo, 'steps', 'reading', 'Shift+z'),
  a('stretch', t.actions.stretch, 'image', 'reading', 'Shift+e'),
  a('evidence', t.actions.evidence, 'image', 'reading', 'e'),
  a('point', t.actions.point, 'image', 'reading', 'd'),
  a('ellipse', t.actions.ellipse, 'image', 'reading', 'o'),
  a('polygon', t.actions.polygon, 'image', 'reading', 'y'),
  a('model-regions', t.actions.modelRegions, 'image', 'reading', 'g'),
  a('consensus', t.actions.consensus, 'image', 'reading', 'Shift+g'),
  a('frame-next', t.actions.frameNext, 'image', 'image', 'ArrowDown', 'ArrowRight'),
  a('frame-previous', t.actions.framePrevious, 'image', 'image', 'ArrowUp', 'ArrowLeft'),
  a('frame-page-down', t.actions.framePageDown, 'image', 'reading', 'PageDown'),
  a('frame-page-up', t.actions.framePageUp, 'image', 'reading', 'PageUp'),
  a('frame-first', t.actions.frameFirst, 'image', 'reading', 'Home'),
  a('frame-last', t.actions.frameLast, 'image', 'reading', 'End'),
  a('cine', t.actions.cine, 'image', 'reading', 'c'),
  a('invert', t.actions.invert, 'image', 'reading', 'i'),
  a('flip', t.actions.flip, 'image', 'reading', 'h'),
  a('rotate', t.actions.rotate, 'image', 'reading', 'r'),
  a('leave-tool', t.actions.leaveTool, 'image', 'reading', 'Escape'),
  a('measure', t.actions.measure, 'image', 'reading', 'm'),
  a('angle', t.actions.angle, 'image', 'reading', 'Shift+d'),
  a('roi-box', t.actions.roiBox, 'image', 'reading', 'Shift+r'),
  a('roi-ellipse', t.actions.roiEllipse, 'image', 'reading', 'Shift+o'),
  a('clear-measures', t.actions.clearMeasures, 'image', 'reading', 'Shift+Delete'),
  a('lens', t.actions.lens, 'image', 'reading', 'Shift+m'),
  a('cine-faster', t.actions.cineFaster, 'image', 'reading', '[Shift]+.'),
  a('cine-slower', t.actions.cineSlower, 'image', 'reading', '[Shift]+,'),
  a('layout', t.actions.layout, 'image', 'reading', 'x'),
  a('one-view', t.actions.oneView, 'image', 'reading', 'Shift+x'),
  a('next-view', t.actions.nextView, 'image', 'reading', 'Shift+w'),
  a('across', t.actions.across, 'image', 'reading', 'Shift+p'),
  a('overlays', t.actions.overlays, 'image', 'reading', 'Shift+v'),
  a('link-scroll', t.actions.linkScroll, 'image', 'reading', 'Shift+s'),
  a('link-window', t.actions.linkWindow, 'image', 'reading', 'Shift+l'),
  a('link-zoom', t.actions.linkZoom, 'image', 'reading', 'Shift+u'),
  a('file-window', t.actions.fileWindow, 'image', 'reading', 'q'),
  a('fit', t.actions.fit, 'image', 'reading', 'f'),
  a('one-to-one', t.actions.oneToOne, 'image', 'reading', 'u'),
  a('smooth', t.actions.smooth, 'image', 'reading', 'b'),
  a('picture-menu', t.actions.pictureMenu, 'image', 'reading', 'Shift+F10', 'ContextMenu'),
  a('changed-next', t.actions.changedNext, 'image', 'reading', 'Shift+j'),
  a('changed-previous', t.actions.changedPrevious, 'image', 'reading', 'Shift+k'),
  a('difference', t.actions.difference, 'image', 'reading', 'Shift+i'),
  a('go-on-from', t.actions.goOnFrom, 'steps', 'reading', 'Shift+c'),
  a('reset', t.actions.reset, 'image', 'image', 'Space'),
  a('focus-image', t.actions.focusImage, 'cases', 'reading', 'w'),
  a('focus-steps', t.actions.focusSteps, 'cases', 'reading', 's'),
] as const;

const answers = digits.map((n) => a(`answer-${n}`, t.actions.answer(n), 'steps', 'steps', `Digit${n}`, `Numpad${n}`));
const windows = presets.map((n) => ({
  ...a(`preset-${n}`, t.actions.preset(n), 'image', 'reading', `F${n}`),
  keys: [
    { scope: 'reading', key: `F${n}` },
    { scope: 'image', key: `Digit${n}` },
  ] satisfies Bound[],
}));

export type ActionId =
  | (typeof fixed)[number]['id']
  | `answer-${(typeof digits)[number]}`
  | `preset-${(typeof presets)[number]}`;

/** actions is the list. */
export const actions: readonly ActionInfo[] = [...fixed, ...answers, ...windows];

/** actionOf finds one by its id. */
export const actionOf = (id: ActionId): ActionInfo => {
  const found = actions.find((x) => x.id === id);
  if (!found) throw new Error(`no action ${id}`);
  return found;
};
