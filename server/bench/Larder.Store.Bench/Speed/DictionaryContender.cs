using System.Collections.Concurrent;
using System.Globalization;

namespace Larder.Store.Bench;

/// <summary>The runtime's ConcurrentDictionary, which copies values in and out. There is no memory limit, no TTL and no eviction.</summary>
internal sealed class DictionaryContender : IContender
{
    private readonly ConcurrentDictionary<string, byte[]> _values = new();

    public string Name => "ConcurrentDictionary";

    public object Prepare(ReadOnlySpan<int> keys)
    {
        // New strings, as a server would create them for each request. They are not the objects that the dictionary contains.
        string[] strings = new string[keys.Length];
        for (int i = 0; i < keys.Length; i++)
        {
            strings[i] = string.Create(CultureInfo.InvariantCulture, $"key:{keys[i]:D12}");
        }

        return strings;
    }

    public void Get(object batch, byte[] destination)
    {
        foreach (string key in (string[])batch)
        {
            if (_values.TryGetValue(key, out byte[]? value))
            {
                value.CopyTo(destination, 0);
            }
        }
    }

    public void Set(object batch, byte[] value)
    {
        foreach (string key in (string[])batch)
        {
            _values[key] = value.AsSpan().ToArray();
        }
    }
}
