// The nouns as plain data: the types that Go generates, without the methods of their classes.
import type { app, desk, report, review } from '../wailsjs/go/models';

// biome-ignore lint/suspicious/noExplicitAny: a function of any kind is left out
type Fn = (...args: any[]) => unknown;
export type Plain<T> = T extends (infer U)[]
  ? Plain<U>[]
  : T extends object
    ? { [K in keyof T as T[K] extends Fn ? never : K]: Plain<T[K]> }
    : T;

export type Start = Plain<app.Start>;
export type Rules = Plain<app.Rules>;
export type Checked = Plain<app.Checked>;
export type TextFile = Plain<app.TextFile>;
export type Standing = Plain<desk.Standing>;
export type ReaderStands = Plain<desk.ReaderStands>;
export type Agreement = Plain<report.Agreement>;
export type RubricName = Plain<review.RubricName>;
export type State = Plain<desk.State>;
export type CaseRow = Plain<desk.CaseRow>;
export type CaseView = Plain<desk.CaseView>;
export type ChainView = Plain<desk.ChainView>;
export type Saved = Plain<desk.Saved>;
export type Imported = Plain<desk.Imported>;
export type Missing = Plain<desk.Missing>;
export type Place = Plain<desk.Place>;
export type Case = Plain<review.Case>;
export type Question = Plain<review.Question>;
export type Option = Plain<review.Option>;
export type Answer = Plain<review.Answer>;
export type Step = Plain<review.Step>;
export type Region = Plain<review.Region>;
export type OwnAnswer = Plain<review.OwnAnswer>;
export type Display = Plain<review.Display>;
export type TrainingStands = Plain<desk.TrainingStands>;
export type TrainingView = Plain<desk.TrainingView>;
export type Feedback = Plain<desk.Feedback>;
export type Look = Plain<review.Look>;
export type Seen = Plain<review.Seen>;
export type Rubric = Plain<review.Rubric>;
export type Field = Plain<review.Field>;
export type About = Plain<desk.About>;
export type Rating = Plain<review.Rating>;
export type ChainRating = Plain<review.ChainRating>;
export type Missed = Plain<review.Missed>;
export type Frame = Plain<review.Frame>;
export type FileWindow = Plain<review.Window>;
export type Stack = Plain<review.Stack>;
export type Stage = Plain<review.Stage>;
export type Problem = Plain<review.Problem>;
export type Disagreements = Plain<desk.Disagreements>;
export type Disagreement = Plain<desk.Disagreement>;
export type DisagreementView = Plain<desk.DisagreementView>;
export type UnnamedRead = Plain<desk.UnnamedRead>;
export type FinalValue = Plain<review.FinalValue>;
export type Decided = Plain<desk.Decided>;
export type Adjudicated = Plain<desk.Adjudicated>;
export type Overturn = Plain<desk.Overturn>;
export type Packages = Plain<desk.Packages>;
export type ReaderPackages = Plain<desk.ReaderPackages>;
export type Conflict = Plain<desk.Conflict>;
export type Packed = Plain<desk.Packed>;
export type Opened = Plain<desk.Opened>;
export type Merged = Plain<desk.Merged>;
