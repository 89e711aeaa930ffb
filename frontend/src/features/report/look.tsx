// Each model keeps one colour and one shape through the whole report.
export interface Look {
  colour: string;
  shape: 'circle' | 'square' | 'triangle' | 'diamond';
}

const colours = ['var(--accent)', 'var(--partly)', 'var(--model)', 'var(--other-model)'];
const shapes: Look['shape'][] = ['circle', 'square', 'triangle', 'diamond'];

/** lookOf gives the look of the ith model; colours repeat after four, with another shape. */
export const lookOf = (i: number): Look => ({
  colour: colours[i % colours.length] ?? 'var(--accent)',
  shape: shapes[(i + Math.floor(i / colours.length)) % shapes.length] ?? 'circle',
});

/** Mark draws the shape of a model around a point. */
export const Mark = ({ look, x, y }: { look: Look; x: number; y: number }) => {
  const at = `translate(${x} ${y})`;
  switch (look.shape) {
    case 'circle':
      return <circle transform={at} r={4} fill={look.colour} />;
    case 'square':
      return <rect transform={at} x={-4} y={-4} width={8} height={8} fill={look.colour} />;
    case 'triangle':
      return <path transform={at} d="M0-5 5 4H-5Z" fill={look.colour} />;
    case 'diamond':
      return <path transform={at} d="M0-5 5 0 0 5-5 0Z" fill={look.colour} />;
  }
};

/** Badge is the mark on its own, beside a name. */
export const Badge = ({ look }: { look: Look }) => (
  <svg width={12} height={12} aria-hidden="true" style={{ flex: 'none' }}>
    <Mark look={look} x={6} y={6} />
  </svg>
);
