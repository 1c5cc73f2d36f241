using Larder.Store.Collections;
using Larder.Wire.Protobuf;

namespace Larder.Server.Calls;

/// <summary>
/// A request that selects elements by a oneof. Field 1 is the key of the collection. Fields 2 and 3 belong to the oneof, and each of them is a message. If both
/// occur, the last one is used. This type does not parse the message until the caller requests it.
/// </summary>
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

    /// <summary>Gets the key of the collection.</summary>
    public ReadOnlySpan<byte> Name { get; private set; }

    /// <summary>Gets the field number of the chosen alternative of the oneof; 0 if no alternative is set.</summary>
    public int Choice { get; private set; }

    /// <summary>Gets the message of the chosen alternative.</summary>
    public ReadOnlySpan<byte> Chosen { get; private set; }

    /// <summary>Gets whether one of the parsed elements is empty.</summary>
    public readonly bool HasEmptyElement => _items.HasEmptyName;

    /// <summary>Gets the parsed elements.</summary>
    public readonly CollectionBatch Elements => _items.In(_request);

    /// <summary>Decodes the oneof. The caller must check the returned object and dispose it.</summary>
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

    /// <summary>Replaces the choice with the choice of a nested oneof, which consists of fields 1 and 2 of the chosen message.</summary>
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

    /// <summary>Parses and checks the elements in the repeated field 1 of the chosen message. Returns null on success.</summary>
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
