import { cleanup, render, screen } from '@testing-library/react';
import { afterEach, describe, expect, it } from 'vitest';
import { Guard } from './Guard';
import { Arriving, Later } from './later';

afterEach(cleanup);

const Hello = ({ name }: { name: string }) => <p>hello {name}</p>;

describe('a screen that comes later', () => {
  it('is shown at once when its program is there, and the program is fetched once', async () => {
    let asked = 0;
    const hello = new Later(async () => {
      asked++;
      return Hello;
    });
    await Promise.all([hello.fetch(), hello.fetch()]);
    render(<Arriving screen={hello} given={{ name: 'ann' }} />);
    expect(screen.getByText('hello ann')).toBeDefined();
    expect(asked).toBe(1);
  });

  it('says that it is on its way, and then is there', async () => {
    let give = (_: typeof Hello) => {};
    const hello = new Later<{ name: string }>(
      () =>
        new Promise((done) => {
          give = done;
        }),
    );
    render(<Arriving screen={hello} given={{ name: 'ann' }} />);
    expect(screen.getByRole('status')).toBeDefined();
    give(Hello);
    expect(await screen.findByText('hello ann')).toBeDefined();
  });

  it('tells a failure where it would be, and can be tried again', async () => {
    let failing = true;
    const hello = new Later(async () => {
      if (failing) throw new Error('cut off');
      return Hello;
    });
    render(
      <Guard>
        <Arriving screen={hello} given={{ name: 'ann' }} />
      </Guard>,
    );
    expect(await screen.findByText('cut off')).toBeDefined();
    failing = false;
    screen.getByText('Try again').click();
    expect(await screen.findByText('hello ann')).toBeDefined();
  });
});
