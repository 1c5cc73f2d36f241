export const revalidate = 3600;

export default function Page() {
  return <p>{`page ${process.pid} ${Date.now()}.`}</p>;
}
