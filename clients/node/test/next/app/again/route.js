import { revalidatePath, revalidateTag } from "next/cache";

export async function POST() {
  revalidateTag("prices");
  revalidatePath("/");
  return new Response("done");
}
