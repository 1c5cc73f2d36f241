using Larder.Store.Collections;
using Larder.Wire.Protobuf;

namespace Larder.Server.Calls;

/// <summary>
/// The requests that say, in a oneof, which elements they are about: 1 name, 2 or 3 a message, the last one given. What is in the message its caller reads.
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

    /// <summary>True where the request proved to be no message.</summary>
    public bool IsMalformed { get; private set; }

    /// <summary>The collection's key.</summary>
    public ReadOnlySpan<byte> Name { get; private set; }

    /// <summary>The field of the choice; 0: none was made.</summary>
    public int Choice { get; private set; }

    /// <summary>The choice's message.</summary>
    public ReadOnlySpan<byte> Chosen { get; private set; }

    /// <summary>True where one of the elements read is empty.</summary>
    public readonly bool HasEmptyElement => _items.HasEmptyName;

    /// <summary>The elements that were read.</summary>
    public readonly CollectionBatch Elements => _items.In(_request);

    /// <summary>Decodes the choice; the caller checks what it got, and gives back what it was lent.</summary>
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

    /// <summary>Goes on to what the choice itself chooses, in its fields 1 or 2.</summary>
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

    /// <summary>Reads the elements that the choice repeats in its field 1, and checks them; null on success.</summary>
    public CallError? ReadElements(CallRules rules)
    {
        IsMalformed |= !_items.AddAll(_request, _at, Chosen.Length);
        return IsMalformed ? CallError.Malformed : rules.CheckElements(Name, _items);
    }

    /// <summary>Null where the request names a collection and says which elements.</summary>
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
