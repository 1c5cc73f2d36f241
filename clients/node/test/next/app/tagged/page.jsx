import { unstable_cache } from "next/cache";

const load = unstable_cache(async () => `tagged ${process.pid} ${Date.now()}.`, ["tagged"], { tags: ["prices"] });

export const dynamic = "force-dynamic";

export default async function Page() {
  return <p>{await load()}</p>;
}
