// What the figures hold, as plain options for the chart library: nothing here draws.
import { share } from '../../lib/format';
import type { Count, Figure, StageFigure } from '../../lib/report';
import type { Look } from './look';

/** Ink is the theme's colours as the chart needs them: by the name of a token. */
export type Ink = (token: string) => string;

export interface Option {
  [key: string]: unknown;
}

const hueOf = (look: Look, ink: Ink) => ink(look.colour.replace(/^var\(|\)$/g, ''));

const symbols = { circle: 'circle', square: 'rect', triangle: 'triangle', diamond: 'diamond' } as const;

/** frame is what every figure has: quiet axes, no animation, the theme's letters. */
const frame = (ink: Ink): Option => ({
  animation: false,
  textStyle: { fontFamily: 'Inter, Segoe UI, system-ui, sans-serif', fontSize: 11, color: ink('--soft') },
  grid: { left: 8, right: 14, top: 14, bottom: 4, containLabel: true },
  tooltip: {
    trigger: 'item',
    backgroundColor: ink('--raised'),
    borderColor: ink('--rule'),
    textStyle: { color: ink('--ink'), fontSize: 12 },
  },
});

const axis = (ink: Ink): Option => ({
  axisLine: { lineStyle: { color: ink('--edge') } },
  axisTick: { show: false },
  axisLabel: { color: ink('--soft'), fontSize: 11 },
  splitLine: { lineStyle: { color: ink('--rule') } },
});

/** Line is one model along the stages. */
export interface Line {
  id: string;
  name: string;
  look: Look;
  solid: StageFigure[];
  dashed: StageFigure[];
}

interface Api {
  value: (i: number) => number;
  coord: (at: (number | string)[]) => [number, number];
}

/** whisker draws an interval at an offset across it, so that those of several models can be told from each other. */
const whisker = (vertical: boolean, offset: number, colour: string) => (_: unknown, api: Api) => {
  const at = api.value(0);
  const [x0, y0] = api.coord(vertical ? [at, api.value(1)] : [api.value(1), at]);
  const [x1, y1] = api.coord(vertical ? [at, api.value(2)] : [api.value(2), at]);
  const [dx, dy] = vertical ? [offset, 0] : [0, offset];
  return {
    type: 'line',
    silent: true,
    shape: { x1: x0 + dx, y1: y0 + dy, x2: x1 + dx, y2: y1 + dy },
    style: { stroke: colour, lineWidth: 1.4, opacity: 0.8 },
  };
};

const intervals = (figures: Figure[]) =>
  figures.flatMap((f, i) =>
    typeof f.value === 'number' && f.interval?.length === 2 ? [[i, f.interval[0], f.interval[1]]] : [],
  );

/** stageOption draws proportions along the stages with intervals; what is dashed stands beside it. */
export const stageOption = (stages: string[], lines: Line[], ink: Ink): Option => ({
  ...frame(ink),
  xAxis: {
    type: 'value',
    min: 0,
    max: stages.length,
    ...axis(ink),
    axisLabel: {
      customValues: stages.map((_, i) => i + 0.5),
      formatter: (v: number) => `S${Math.ceil(v)}`,
      color: ink('--soft'),
      fontSize: 11,
    },
    splitLine: { show: false },
  },
  yAxis: {
    type: 'value',
    min: 0,
    max: 1,
    interval: 0.5,
    ...axis(ink),
    axisLabel: { formatter: (v: number) => (v === 0 ? '0' : share(v)), color: ink('--soft') },
  },
  series: lines.flatMap((l, i) => {
    const colour = hueOf(l.look, ink);
    // Models stand beside each other at a stage, with their lines, so that intervals do not hide each other.
    const x = (stage: number) => stage + 0.5 + (i - (lines.length - 1) / 2) * Math.min(0.12, 0.7 / lines.length);
    const values = (list: StageFigure[]) => stages.map((s, k) => [x(k), list.find((f) => f.name === s)?.value ?? null]);
    const figures = stages.map((s) => l.solid.find((f) => f.name === s) ?? ({ value: null } as Figure));
    return [
      {
        id: `${l.id}|solid`,
        name: l.name,
        type: 'line',
        data: values(l.solid),
        symbol: symbols[l.look.shape],
        symbolSize: 9,
        lineStyle: { color: colour, width: 2 },
        itemStyle: { color: colour },
        tooltip: {
          formatter: (p: { dataIndex: number }) => `${l.name}, ${stages[p.dataIndex]}: ${spoken(figures[p.dataIndex])}`,
        },
      },
      {
        id: `${l.id}|dashed`,
        type: 'line',
        data: values(l.dashed),
        symbol: 'none',
        silent: true,
        lineStyle: { color: colour, width: 1.2, type: 'dashed' },
        itemStyle: { color: colour },
      },
      {
        type: 'custom',
        silent: true,
        data: intervals(figures).map(([stage, low, high]) => [x(stage ?? 0), low, high]),
        renderItem: whisker(true, 0, colour),
      },
    ];
  }),
});

/** spoken says a number with its interval. */
export const spoken = (f: Figure | undefined): string => {
  if (typeof f?.value !== 'number') return `not estimable: ${f?.reason ?? ''}`;
  const interval = f.interval?.length === 2 ? ` (${share(f.interval[0])} – ${share(f.interval[1])})` : '';
  return `${share(f.value)}${interval}`;
};

/** Measured is one model's numbers, by measure. */
export interface Measured {
  id: string;
  name: string;
  look: Look;
  figures: Record<string, Figure>;
}

/** forestOption draws numbers with intervals, a line for each measure and a mark for each model. */
export const forestOption = (measures: string[], of: Measured[], range: [number, number], ink: Ink): Option => ({
  ...frame(ink),
  xAxis: {
    type: 'value',
    min: range[0],
    max: range[1],
    interval: 0.5,
    ...axis(ink),
    axisLabel: { formatter: (v: number) => (v === 0 ? '0' : share(v)), color: ink('--soft') },
  },
  yAxis: { type: 'category', inverse: true, data: measures, ...axis(ink), axisLine: { show: false } },
  series: of.flatMap((m, i) => {
    const colour = hueOf(m.look, ink);
    const offset = (i - (of.length - 1) / 2) * 7;
    const figures = measures.map((k) => m.figures[k] ?? ({ value: null } as Figure));
    return [
      { type: 'custom', silent: true, data: intervals(figures), renderItem: whisker(false, offset, colour) },
      {
        id: m.id,
        name: m.name,
        type: 'scatter',
        symbol: symbols[m.look.shape],
        symbolSize: 8,
        symbolOffset: [0, offset],
        itemStyle: { color: colour },
        data: figures.flatMap((f, at) => (typeof f.value === 'number' ? [[f.value, at]] : [])),
        tooltip: {
          formatter: (p: { value: [number, number] }) =>
            `${m.name}, ${measures[p.value[1]]}: ${spoken(figures[p.value[1]])}`,
        },
      },
    ];
  }),
});

/** Stack is one bar. */
export interface Stack {
  id: string;
  name: string;
  parts: Count[];
}

const partInks = ['--contradicted', '--accent', '--cannot_assess', '--other-model', '--supported', '--partly'];

/** stackOption draws shares of counts, a bar for each row; tones gives the colours by label, else by place. */
export const stackOption = (
  rows: Stack[],
  say: (label: string) => string,
  ink: Ink,
  tones: Record<string, string> = {},
): Option => {
  const labels = [...new Set(rows.flatMap((r) => r.parts.map((p) => p.label)))];
  const total = (r: Stack) => r.parts.reduce((sum, p) => sum + p.n, 0);
  return {
    ...frame(ink),
    grid: { left: 8, right: 14, top: 6, bottom: labels.length > 4 ? 46 : 26, containLabel: true },
    legend: {
      bottom: 0,
      icon: 'rect',
      itemWidth: 11,
      itemHeight: 11,
      textStyle: { color: ink('--soft'), fontSize: 11 },
    },
    xAxis: { type: 'value', max: 1, show: false },
    yAxis: { type: 'category', inverse: true, data: rows.map((r) => r.name), ...axis(ink), axisLine: { show: false } },
    series: labels.map((label, i) => ({
      id: label,
      name: say(label),
      type: 'bar',
      stack: 'all',
      barWidth: 18,
      itemStyle: {
        color: ink(tones[label] ?? partInks[i % partInks.length] ?? '--accent'),
        borderColor: ink('--panel'),
        borderWidth: 1,
      },
      label: {
        show: true,
        color: '#0b0d10',
        fontSize: 11,
        formatter: (p: { dataIndex: number; value: number }) =>
          p.value > 0.07 ? String(rows[p.dataIndex]?.parts.find((x) => x.label === label)?.n ?? '') : '',
      },
      tooltip: {
        formatter: (p: { dataIndex: number }) =>
          `${rows[p.dataIndex]?.name}, ${say(label)}: ${rows[p.dataIndex]?.parts.find((x) => x.label === label)?.n ?? 0} of ${rows[p.dataIndex] ? total(rows[p.dataIndex] as Stack) : 0}`,
      },
      data: rows.map((r) => {
        const all = total(r);
        return all === 0 ? 0 : (r.parts.find((p) => p.label === label)?.n ?? 0) / all;
      }),
    })),
  };
};

/** Points is one model's curve. */
export interface Points {
  id: string;
  name: string;
  look: Look;
  points: [number, number][];
}

/** curveOption draws curves between 0 and 1; diagonal is the line of equality. */
export const curveOption = (of: Points[], names: [string, string], diagonal: boolean, ink: Ink): Option => {
  const unit = { type: 'value', min: 0, max: 1, interval: 0.5, ...axis(ink) };
  return {
    ...frame(ink),
    grid: { left: 12, right: 18, top: 22, bottom: 22, containLabel: true },
    xAxis: { ...unit, name: names[0], nameLocation: 'middle', nameGap: 24 },
    yAxis: { ...unit, name: names[1], nameTextStyle: { align: 'left' } },
    series: [
      ...(diagonal
        ? [
            {
              type: 'line',
              silent: true,
              symbol: 'none',
              data: [
                [0, 0],
                [1, 1],
              ],
              lineStyle: { color: ink('--edge'), type: 'dashed', width: 1 },
            },
          ]
        : []),
      ...of.map((m) => ({
        id: m.id,
        name: m.name,
        type: 'line',
        data: m.points,
        symbol: symbols[m.look.shape],
        symbolSize: 7,
        lineStyle: { color: hueOf(m.look, ink), width: 1.6 },
        itemStyle: { color: hueOf(m.look, ink) },
      })),
    ],
  };
};
