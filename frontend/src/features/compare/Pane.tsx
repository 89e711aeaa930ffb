import { type RefObject, useState } from 'react';
import { useBackend } from '../../backend/queries';
import type { Arm, Comparison } from '../../lib/nouns';
import { t } from '../../lib/texts';
import form from '../../ui/form.module.css';
import { standardBudget, Viewer, type ViewerHandle, type ViewerProps, type ViewerRegion } from '../../viewer';
import type { Apart } from './Beside';
import css from './compare.module.css';
import { positionOf, type Sight } from './sight';

const x = t.compare;

interface Props {
  nth: number;
  of: Comparison;
  arm: Arm;
  sight: Sight;
  question: string;
  /** The frame to show, by its number in the image. */
  frame: number;
  onFrame: (frame: number) => void;
  modelRegions: boolean;
  /** The difference of both pictures, in place of this one. */
  difference: Apart | undefined;
  viewer: RefObject<ViewerHandle | null>;
  onLook: ViewerProps['onLook'];
  onActive: () => void;
}

/** armName names an arm: its condition, or a letter where the protocol hides it. */
export const armName = (arm: Arm): string => arm.condition || x.arm(arm.name);

/** drawsCue says whether a cue is drawn into what an arm saw. */
const drawsCue = (arm: Arm): boolean => /^(box|arrow|heatmap|highlight|emphasis)/.test(arm.origin?.condition.cue ?? '');

/** Pane is the picture of one arm, with what the condition did to it. */
export const Pane = (props: Props) => {
  const { nth, of, arm, sight, question, frame, difference } = props;
  const backend = useBackend();
  const [painted, setPainted] = useState<number>();
  const stack = difference?.stack ?? sight.stack;
  const image = of.stacks.find((s) => s.image === stack?.image)?.image ?? of.stacks[0]?.image ?? '';
  const regions = arm.answers
    .filter((a) => a.question === question)
    .flatMap((a) => a.steps)
    .flatMap((s, i) =>
      s.regions.map(
        (region): ViewerRegion => ({ region, owner: 'model', label: t.reading.modelStep(i + 1), selected: false }),
      ),
    );
  const frameURL = (_: string, n: number) =>
    sight.made && sight.stack
      ? backend.frameAsURL(of.case, image, positionOf(sight.stack, n), arm.chain, question)
      : backend.frameURL(of.case, image, n);
  const drawn = sight.changed.length > 0 && drawsCue(arm);
  const plain = ['', 'original', 'noop'].includes(sight.image);
  const madeOf = difference
    ? [x.differenceTitle]
    : [
        !(drawn && plain) && x.imageIs[sight.image],
        sight.fill && x.filled(sight.fill),
        sight.donor && x.donor(sight.donor),
        drawn && x.cueDrawn,
        sight.made && stack && of.stacks[0] && stack.frames.length !== of.stacks[0].frames.length
          ? x.sentFrames(stack.frames.length)
          : '',
      ].filter(Boolean);
  return (
    <div
      className={css.pane}
      data-testid={`pane-${nth}`}
      data-painted={painted}
      onPointerDownCapture={props.onActive}
      onFocusCapture={props.onActive}
    >
      <div className={css.paneHead}>
        <span className={css.letter}>{arm.name}</span>
        <span className={css.armName} data-testid={`arm-${nth}`}>
          {armName(arm)}
        </span>
        <span className={form.soft}>{madeOf.join(' · ')}</span>
      </div>
      <div className={css.paneBody}>
        {stack ? (
          <Viewer
            // Another question may have been asked with another picture of the same image.
            key={difference ? 'difference' : sight.made ? question : 'own'}
            ref={props.viewer}
            caseId={of.case}
            stack={stack}
            frameURL={difference ? (_, n) => difference.frameURL(n) : frameURL}
            fetcher={difference?.fetcher}
            frames={standardBudget / 2}
            frame={positionOf(stack, frame)}
            onFrame={(position) => {
              const index = stack.frames[position]?.index;
              if (index !== undefined) props.onFrame(index);
            }}
            regions={regions}
            showModelRegions={props.modelRegions}
            tool="window"
            onLook={props.onLook}
            onState={(s) => setPainted(s.painted)}
          />
        ) : (
          <p className={css.empty}>{sight.reason || (sight.image === 'none' ? x.noPicture : x.noneOfCase)}</p>
        )}
      </div>
    </div>
  );
};
