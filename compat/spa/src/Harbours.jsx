const harbours = [
  { name: 'North', depth: 7 },
  { name: 'South', depth: 4 },
];

export function Harbours() {
  return (
    <ul>
      {harbours.map((h) => (
        <li key={h.name}>
          {h.name} harbour is {h.depth} metres deep.
        </li>
      ))}
    </ul>
  );
}
