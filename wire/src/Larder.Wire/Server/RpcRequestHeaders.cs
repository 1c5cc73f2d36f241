using System.Runtime.InteropServices;
using Larder.Wire.Http2.Hpack;

namespace Larder.Wire;

/// <summary>The metadata of a request: names in lower case, values as sent.</summary>
public sealed class RpcRequestHeaders
{
    private readonly List<HeaderField> _fields = [];

    /// <summary>No metadata.</summary>
    public RpcRequestHeaders()
    {
    }

    /// <summary>Metadata made by hand, for tests.</summary>
    /// <param name="entries">Names in lower case, and values.</param>
    public RpcRequestHeaders(params (string Name, string Value)[] entries)
    {
        ArgumentNullException.ThrowIfNull(entries);
        foreach ((string name, string value) in entries)
        {
            _fields.Add(new HeaderField(name, value));
        }
    }

    /// <summary>The value of <paramref name="name"/> (in lower case), empty where there is none; several are joined by commas.</summary>
    public string this[string name]
    {
        get
        {
            int index = IndexOf(name, 0);
            if (index < 0)
            {
                return "";
            }

            int next = IndexOf(name, index + 1);
            return next < 0 ? _fields[index].Value : Join(name, index, next);
        }
    }

    /// <summary>How many fields there are, repeated ones counted each time.</summary>
    internal int Count => _fields.Count;

    internal void Add(HeaderField field) => _fields.Add(field);

    internal void Clear() => _fields.Clear();

    private int IndexOf(string name, int from)
    {
        ReadOnlySpan<HeaderField> fields = CollectionsMarshal.AsSpan(_fields);
        for (int index = from; index < fields.Length; index++)
        {
            if (string.Equals(fields[index].Name, name, StringComparison.Ordinal))
            {
                return index;
            }
        }

        return -1;
    }

    private string Join(string name, int first, int second)
    {
        List<string> values = [_fields[first].Value];
        for (int index = second; index >= 0; index = IndexOf(name, index + 1))
        {
            values.Add(_fields[index].Value);
        }

        return string.Join(',', values);
    }
}
