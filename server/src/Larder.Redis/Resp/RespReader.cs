using System.Buffers.Text;

namespace Larder.Redis;

/// <summary>
/// Reads one RESP3 value that is complete and valid, as checked by a <c>RespScanner</c>. The reader starts at this value. <see cref="Read"/> then moves to each
/// nested value, depth first. Attributes are skipped.
/// </summary>
public ref struct RespReader
{
    private readonly ReadOnlySpan<byte> _frame;
    private int _next;

    /// <summary>Creates a reader at the first value of <paramref name="frame"/>.</summary>
    public RespReader(ReadOnlySpan<byte> frame)
    {
        _frame = frame;
        Read();
    }

    /// <summary>Gets all bytes of the value that the reader started at, as received.</summary>
    public readonly ReadOnlySpan<byte> Frame => _frame;

    /// <summary>Gets the type of the current value.</summary>
    public RespKind Kind { get; private set; }

    /// <summary>Gets whether the current value is null.</summary>
    public readonly bool IsNull => Kind == RespKind.Null;

    /// <summary>Gets the number of nested values: the items of an array, or the keys plus the values of a map.</summary>
    public int Count { get; private set; }

    /// <summary>Gets the text or bytes of the value, or the digits of a number. Empty if the value has nested values.</summary>
    public ReadOnlySpan<byte> Bytes { get; private set; }

    /// <summary>Gets the value of an <see cref="RespKind.Integer"/>; 0 for other types.</summary>
    public long Integer { get; private set; }

    /// <summary>Gets the value of a <see cref="RespKind.Boolean"/>; false for other types.</summary>
    public readonly bool Boolean => Kind == RespKind.Boolean && Bytes[0] == (byte)'t';

    /// <summary>Reads an integer, or a text that contains one.</summary>
    public readonly bool TryGetInteger(out long value)
    {
        value = Integer;
        return Kind == RespKind.Integer || (Utf8Parser.TryParse(Bytes, out value, out int used) && used == Bytes.Length && used > 0);
    }

    /// <summary>Reads the value as a floating-point number. The value may be a number of any type, an infinity, or a text that contains a number.</summary>
    public readonly bool TryGetDouble(out double value) =>
        RespNumber.TryParseDouble(Bytes, out value);

    /// <summary>Moves to the next value. If the current value has nested values, the next value is the first of them. Returns false at the end.</summary>
    public bool Read()
    {
        while (_next < _frame.Length)
        {
            byte mark = _frame[_next];
            ReadOnlySpan<byte> line = Line();
            Bytes = default;
            Integer = 0;
            Count = 0;
            if (mark == (byte)'|')
            {
                // This is an attribute. Its keys and values precede the value that it describes.
                for (long inside = RespNumber.ParseLength(line) * 2L; inside > 0; inside--)
                {
                    Read();
                    inside += Count;
                }

                continue;
            }

            Kind = Take(mark, line);
            return true;
        }

        return false;
    }

    /// <summary>Skips the nested values of the current value.</summary>
    public void Skip()
    {
        for (long inside = Count; inside > 0; inside--)
        {
            Read();
            inside += Count;
        }
    }

    private RespKind Take(byte mark, ReadOnlySpan<byte> line)
    {
        switch (mark)
        {
            case (byte)'+':
                Bytes = line;
                return RespKind.Text;
            case (byte)'-':
                Bytes = line;
                return RespKind.Error;
            case (byte)':':
                Bytes = line;
                Integer = RespNumber.ParseInteger(line);
                return RespKind.Integer;
            case (byte)',':
                Bytes = line;
                return RespKind.Double;
            case (byte)'#':
                Bytes = line;
                return RespKind.Boolean;
            case (byte)'(':
                Bytes = line;
                return RespKind.BigNumber;
            case (byte)'$' or (byte)'!' or (byte)'=':
                return TakeBlob(mark, RespNumber.ParseLength(line));
            case (byte)'*' or (byte)'~' or (byte)'>' or (byte)'%':
                return TakeMany(mark, RespNumber.ParseLength(line));
            default:
                return RespKind.Null;
        }
    }

    private RespKind TakeBlob(byte mark, int length)
    {
        if (length < 0)
        {
            return RespKind.Null;
        }

        ReadOnlySpan<byte> blob = _frame.Slice(_next, length);
        _next += length + 2;
        // A verbatim string begins with three letters and a colon.
        Bytes = mark == (byte)'=' ? blob[4..] : blob;
        return mark == (byte)'!' ? RespKind.Error : RespKind.Bytes;
    }

    private RespKind TakeMany(byte mark, int count)
    {
        if (count < 0)
        {
            return RespKind.Null;
        }

        Count = mark == (byte)'%' ? count * 2 : count;
        return mark switch
        {
            (byte)'*' => RespKind.Array,
            (byte)'~' => RespKind.Set,
            (byte)'%' => RespKind.Map,
            _ => RespKind.Push,
        };
    }

    // Returns the text of the current line after its type byte, and moves to the next line.
    private ReadOnlySpan<byte> Line()
    {
        ReadOnlySpan<byte> rest = _frame[(_next + 1)..];
        int end = rest.IndexOf((byte)'\r');
        _next += end + 3;
        return rest[..end];
    }
}
