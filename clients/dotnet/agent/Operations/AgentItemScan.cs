using System.Text.Json;
using System.Text.Json.Nodes;
using Larder.Client;

namespace Larder.Agent;

/// <summary>
/// The scanItems operation: reads one page, or all pages with "all". With "all", each field or element is returned once, and the elements of a list are in the
/// list's order.
/// </summary>
internal static class AgentItemScan
{
    public static async Task<JsonObject> RunAsync(Cache cache, JsonElement line, CancellationToken stop)
    {
        int count = line.TryGetProperty("count", out JsonElement asked) ? (int)Math.Min(asked.GetInt64(), int.MaxValue) : 0;
        byte[] cursor = Convert.FromBase64String(line.Text("cursorBase64") ?? "");
        List<CollectionPage> pages = [];
        do
        {
            switch (await cache.ScanItemsAsync(line.Bytes("key"), cursor, count, stop).ConfigureAwait(false))
            {
                case { IsHit: true } page:
                    pages.Add(page.Value);
                    cursor = page.Value.Cursor.ToArray();
                    break;
                case { IsMiss: true }:
                    return AgentAnswer.Result("miss");
                case LookupResult<CollectionPage> other:
                    return AgentAnswer.FailedOr(other);
            }
        }
        while (cursor.Length > 0 && line.Flag("all", false));
        return JsonOf(pages).With("cursorBase64", Convert.ToBase64String(cursor));
    }

    private static JsonObject JsonOf(List<CollectionPage> pages)
    {
        CacheItemType type = pages[0].Type;
        JsonObject answer = AgentAnswer.Result("hit").With("type", JsonNamingPolicy.CamelCase.ConvertName(type.ToString()));
        return type switch
        {
            CacheItemType.Dictionary => answer.WithList("items", Once(pages.SelectMany(static page => page.Fields), static each => each.Field)),
            CacheItemType.SortedSet => answer.WithList("elements", Once(pages.SelectMany(static page => page.ScoredElements), static each => each.Value)),
            CacheItemType.Set => answer.WithList("elements", Once(pages.SelectMany(static page => page.Elements), static each => each)),
            _ => answer.WithList("elements", [.. pages.SelectMany(static page => page.Elements)]),
        };
    }

    private static T[] Once<T>(IEnumerable<T> elements, Func<T, CacheValue> name) =>
        [.. elements.DistinctBy(each => name(each))];
}
