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
            string? found = null;
            foreach (HeaderField field in _fields)
            {
                if (string.Equals(field.Name, name, StringComparison.Ordinal))
                {
                    found = found is null ? field.Value : string.Concat(found, ",", field.Value);
                }
            }

            return found ?? "";
        }
    }

    internal void Add(HeaderField field) => _fields.Add(field);

    internal void Clear() => _fields.Clear();
}
