using Larder.Client;

namespace Larder.Examples.Collections;

/// <summary>Reads a dictionary that may be too large for one response.</summary>
public static class Pages
{
    /// <summary>Returns all fields with their values, or null if the dictionary does not exist or is removed during the scan.</summary>
    public static async Task<Dictionary<string, string>?> ReadAsync(Cache cache, string name)
    {
        Dictionary<string, string> all = [];
        ReadOnlyMemory<byte> cursor = default;
        do
        {
            switch (await cache.ScanItemsAsync(name, cursor, count: 1_000))
            {
                case { IsHit: true } page:
                    // A field may be on several pages. The last one has the latest value.
                    foreach (DictionaryField each in page.Value.Fields)
                    {
                        all[each.Field.Text] = each.Value.Text;
                    }

                    cursor = page.Value.Cursor;
                    break;
                case { Error: { } error }:
                    throw new InvalidOperationException(error.Message);
                default:
                    return null;
            }
        }
        while (!cursor.IsEmpty);
        return all;
    }
}
