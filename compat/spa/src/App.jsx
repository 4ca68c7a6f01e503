import { useEffect, useState } from 'react';
import { Harbours } from './Harbours.jsx';

// The text comes in two waves, as in real apps: what the first render knows,
// and what arrives after it.
export function App() {
  const [tides, setTides] = useState(null);
  useEffect(() => {
    const timer = setTimeout(() => setTides(['06:40', '19:05']), 150);
    return () => clearTimeout(timer);
  }, []);
  useEffect(() => {
    document.title = 'Tides of today';
  }, []);
  return (
    <>
      <header>
        <nav>
          <a href="/harbours">Harbours</a>
        </nav>
      </header>
      <main>
        <h1>Tides of today</h1>
        <p>This page was put together in the browser by React.</p>
        {tides ? <p>High water comes at {tides.join(' and ')}.</p> : <p>Asking the tide …</p>}
        {location.pathname === '/harbours' && <Harbours />}
      </main>
    </>
  );
}
