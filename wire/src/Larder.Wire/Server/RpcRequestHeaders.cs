using System.Runtime.InteropServices;
using Larder.Wire.Http2.Hpack;

namespace Larder.Wire;

/// <summary>The metadata of a request. Names are in lower case. Values are as the client sent them.</summary>
public sealed class RpcRequestHeaders
{
    private readonly List<HeaderField> _fields = [];

    // The fields that every call needs. They are recorded when they arrive, because a lookup by name scans all fields.
    private HeaderField? _authorization;
    private HeaderField? _encoding;
    private HeaderField? _timeout;

    // True if one of these fields occurs twice. In this case, all of them are looked up by name.
    private bool _isRepeated;

    /// <summary>Creates empty metadata.</summary>
    public RpcRequestHeaders()
    {
    }

    /// <summary>Creates metadata for tests.</summary>
    /// <param name="entries">The entries, with names in lower case.</param>
    public RpcRequestHeaders(params (string Name, string Value)[] entries)
    {
        ArgumentNullException.ThrowIfNull(entries);
        foreach ((string name, string value) in entries)
        {
            Add(new HeaderField(name, value));
        }
    }

    /// <summary>Gets the value of <paramref name="name"/> (in lower case), or an empty string if there is none. Several values are joined by commas.</summary>
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

    /// <summary>Gets the value of <c>authorization</c>. The result is the same as that of the indexer.</summary>
    public string Authorization => ValueOf(_authorization, "authorization");

    /// <summary>Gets the value of <c>grpc-encoding</c>. The result is the same as that of the indexer.</summary>
    internal string Encoding => ValueOf(_encoding, "grpc-encoding");

    /// <summary>Gets the value of <c>grpc-timeout</c>. The result is the same as that of the indexer.</summary>
    internal string Timeout => ValueOf(_timeout, "grpc-timeout");

    /// <summary>Gets the number of fields. A repeated field is counted each time.</summary>
    internal int Count => _fields.Count;

    internal void Add(HeaderField field)
    {
        _fields.Add(field);
        switch (field.Kind)
        {
            case HeaderKind.Authorization:
                Note(ref _authorization, field);
                break;
            case HeaderKind.GrpcEncoding:
                Note(ref _encoding, field);
                break;
            case HeaderKind.GrpcTimeout:
                Note(ref _timeout, field);
                break;
        }
    }

    internal void Clear()
    {
        _fields.Clear();
        _authorization = null;
        _encoding = null;
        _timeout = null;
        _isRepeated = false;
    }

    private string ValueOf(HeaderField? noted, string name) => _isRepeated ? this[name] : noted?.Value ?? "";

    private void Note(ref HeaderField? noted, HeaderField field)
    {
        _isRepeated |= noted is not null;
        noted = field;
    }

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
