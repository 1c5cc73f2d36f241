using Larder.Store.Collections;
using Larder.Wire.Protobuf;

namespace Larder.Server.Calls;

/// <summary>
/// A request with elements. Fields: 1 the collection's key, 2 the elements, 3 the TTL, 4 whether to refresh the TTL, 5 a number that depends on the call. No
/// field is a repeated scalar, so the packed encoding does not have to be supported.
/// </summary>
internal ref struct ElementsRequest
{
    private readonly ReadOnlySpan<byte> _request;
    private readonly ElementShape _shape;
    private bool _isMalformed;
    private RequestItems _items;

    private ElementsRequest(ReadOnlySpan<byte> request, ElementShape shape)
    {
        _request = request;
        _shape = shape;
        _items = new RequestItems();
    }

    /// <summary>Gets the key of the collection.</summary>
    public ReadOnlySpan<byte> Name { get; private set; }

    public ulong Third { get; private set; }

    public ulong Fourth { get; private set; }

    public uint Fifth { get; private set; }

    /// <summary>Gets the TTL of a write from fields 3 and 4. The caller must check the TTL first.</summary>
    public readonly CollectionTtl Ttl => new((long)Third, Fourth != 0);

    public readonly int Count => _items.Count;

    public readonly bool HasEmptyName => _items.HasEmptyName;

    public readonly CollectionBatch Elements => _items.In(_request);

    /// <summary>Gets the elements. If the request contains none, gets a single empty element, because proto3 omits an empty value.</summary>
    public CollectionBatch ElementsOrEmpty
    {
        get
        {
            if (Count == 0)
            {
                _items.Add(default);
            }

            return Elements;
        }
    }

    /// <summary>Decodes the request. The caller must check the returned object and dispose it.</summary>
    /// <param name="request">The request message.</param>
    /// <param name="shape">The encoding of the elements.</param>
    public static ElementsRequest Decode(ReadOnlySpan<byte> request, ElementShape shape)
    {
        ElementsRequest decoded = new(request, shape);
        ProtoReader reader = new(request);
        while (reader.NextField() && decoded.ReadField(ref reader))
        {
        }

        decoded._isMalformed |= reader.IsMalformed;
        return decoded;
    }

    /// <summary>Checks the request, except for its TTL. Returns null on success.</summary>
    public readonly CallError? Check(CallRules rules) => _isMalformed ? CallError.Malformed
        : CallRules.CheckKey(Name)
        ?? rules.CheckElements(Name, _items)
        ?? (_items.HasNoNumber ? CollectionErrors.NoNumber : null);

    /// <summary>
    /// Checks the request like <see cref="Check"/>, and also that no element has an empty name, because a dictionary field must not be empty. Returns null on
    /// success.
    /// </summary>
    public readonly CallError? CheckFields(CallRules rules) => Check(rules) ?? (_items.HasEmptyName ? CollectionErrors.EmptyField : null);

    public readonly void Dispose() => _items.Dispose();

    private bool ReadField(scoped ref ProtoReader reader)
    {
        bool read;
        ulong number;
        switch (reader.Field, reader.WireType)
        {
            case (1, ProtoWireType.LengthDelimited):
                read = reader.TryReadBytes(out ReadOnlySpan<byte> name);
                Name = name;
                return read;
            case (2, ProtoWireType.LengthDelimited):
                return reader.TryReadBytes(out ReadOnlySpan<byte> element) && TryAdd(reader.Position - element.Length, element);
            case (3, ProtoWireType.Varint):
                read = reader.TryReadVarint(out number);
                Third = number;
                return read;
            case (4, ProtoWireType.Varint):
                read = reader.TryReadVarint(out number);
                Fourth = number;
                return read;
            case (5, ProtoWireType.Varint):
                read = reader.TryReadVarint(out number);
                Fifth = (uint)number;
                return read;
            default:
                return reader.TrySkip();
        }
    }

    private bool TryAdd(int at, ReadOnlySpan<byte> element)
    {
        switch (_shape)
        {
            case ElementShape.OneName:
                _items.Clear();
                _items.Add(new CollectionItem(at, element.Length));
                return true;
            case ElementShape.Names:
                _items.Add(new CollectionItem(at, element.Length));
                return true;
            default:
                return TryAddMessage(at, element);
        }
    }

    private bool TryAddMessage(int at, ReadOnlySpan<byte> element)
    {
        ProtoReader reader = new(element);
        CollectionItem item = default;
        while (reader.NextField() && TryReadPart(ref reader, at, ref item))
        {
        }

        _items.Add(item);
        _isMalformed |= reader.IsMalformed;
        return !reader.IsMalformed;
    }

    private readonly bool TryReadPart(scoped ref ProtoReader reader, int at, ref CollectionItem item)
    {
        bool read;
        ReadOnlySpan<byte> bytes;
        switch (reader.Field, reader.WireType, _shape)
        {
            case (1, ProtoWireType.LengthDelimited, _):
                read = reader.TryReadBytes(out bytes);
                item = item with { NameAt = at + reader.Position - bytes.Length, NameLength = bytes.Length };
                return read;
            case (2, ProtoWireType.LengthDelimited, ElementShape.Fields):
                read = reader.TryReadBytes(out bytes);
                item = item with { ValueAt = at + reader.Position - bytes.Length, ValueLength = bytes.Length };
                return read;
            case (2, ProtoWireType.Fixed64, ElementShape.Scored):
                read = reader.TryReadDouble(out double score);
                item = item with { Score = score };
                return read;
            case (2, ProtoWireType.Fixed32, ElementShape.Weighted):
                read = reader.TryReadFloat(out float weight);
                item = item with { Score = weight };
                return read;
            default:
                return reader.TrySkip();
        }
    }
}
