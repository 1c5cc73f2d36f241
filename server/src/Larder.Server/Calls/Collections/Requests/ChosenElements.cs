using Larder.Store.Collections;
using Larder.Wire.Protobuf;

namespace Larder.Server.Calls;

/// <summary>A request that selects elements by a oneof: 1 the name, 2 or 3 a message (the last one given). The caller parses that message.</summary>
internal ref struct ChosenElements
{
    private readonly ReadOnlySpan<byte> _request;
    private RequestItems _items;
    private int _at;

    private ChosenElements(ReadOnlySpan<byte> request)
    {
        _request = request;
        _items = new RequestItems();
    }

    public bool IsMalformed { get; private set; }

    /// <summary>Gets the collection's key.</summary>
    public ReadOnlySpan<byte> Name { get; private set; }

    /// <summary>Gets the field number of the oneof; 0 if none is set.</summary>
    public int Choice { get; private set; }

    /// <summary>Gets the message in the oneof.</summary>
    public ReadOnlySpan<byte> Chosen { get; private set; }

    /// <summary>Gets whether one of the parsed elements is empty.</summary>
    public readonly bool HasEmptyElement => _items.HasEmptyName;

    /// <summary>Gets the parsed elements.</summary>
    public readonly CollectionBatch Elements => _items.In(_request);

    /// <summary>Decodes the oneof. The caller must check the result and dispose it.</summary>
    public static ChosenElements Decode(ReadOnlySpan<byte> request)
    {
        ChosenElements decoded = new(request);
        ProtoReader reader = new(request);
        while (reader.NextField() && decoded.ReadField(ref reader))
        {
        }

        decoded.IsMalformed = reader.IsMalformed;
        return decoded;
    }

    /// <summary>Replaces the choice with the oneof inside its message (fields 1 and 2).</summary>
    public void EnterChoice()
    {
        int at = _at;
        ReadOnlySpan<byte> within = Chosen;
        ProtoReader reader = new(within);
        Choice = 0;
        while (reader.NextField())
        {
            if (!reader.Is(1, ProtoWireType.LengthDelimited) && !reader.Is(2, ProtoWireType.LengthDelimited))
            {
                reader.TrySkip();
            }
            else if (reader.TryReadBytes(out ReadOnlySpan<byte> message))
            {
                Choice = reader.Field;
                Chosen = message;
                _at = at + reader.Position - message.Length;
            }

            if (reader.IsMalformed)
            {
                break;
            }
        }

        IsMalformed |= reader.IsMalformed;
    }

    /// <summary>Parses the elements repeated in field 1 of the chosen message and checks them. Returns null on success.</summary>
    public CallError? ReadElements(CallRules rules)
    {
        IsMalformed |= !_items.AddAll(_request, _at, Chosen.Length);
        return IsMalformed ? CallError.Malformed : rules.CheckElements(Name, _items);
    }

    /// <summary>Checks that the request names a collection and selects elements. Returns null on success.</summary>
    public readonly CallError? Check() => IsMalformed ? CallError.Malformed
        : CallRules.CheckKey(Name) ?? (Choice == 0 ? CollectionErrors.NoChoice : null);

    public readonly void Dispose() => _items.Dispose();

    private bool ReadField(scoped ref ProtoReader reader)
    {
        if (reader.WireType != ProtoWireType.LengthDelimited || reader.Field > 3)
        {
            return reader.TrySkip();
        }

        bool read = reader.TryReadBytes(out ReadOnlySpan<byte> bytes);
        if (reader.Field == 1)
        {
            Name = bytes;
        }
        else
        {
            Choice = reader.Field;
            Chosen = bytes;
            _at = reader.Position - bytes.Length;
        }

        return read;
    }
}
