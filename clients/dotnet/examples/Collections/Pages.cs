using Larder.Client;

namespace Larder.Examples.Collections;

/// <summary>Reads a dictionary that may be larger than one answer.</summary>
public static class Pages
{
    /// <summary>All fields with their values; null where there is no dictionary, or it went while it was read.</summary>
    public static async Task<Dictionary<string, string>?> ReadAsync(Cache cache, string name)
    {
        Dictionary<string, string> all = [];
        ReadOnlyMemory<byte> cursor = default;
        do
        {
            switch (await cache.ScanItemsAsync(name, cursor, count: 1_000))
            {
                case ScanItemsResponse.Hit page:
                    // A field may be on several pages: the last is the latest.
                    foreach (DictionaryField each in page.Fields)
                    {
                        all[each.FieldString] = each.ValueString;
                    }

                    cursor = page.Cursor;
                    break;
                case ScanItemsResponse.Error error:
                    throw new InvalidOperationException(error.Message);
                default:
                    return null;
            }
        }
        while (!cursor.IsEmpty);
        return all;
    }
}
