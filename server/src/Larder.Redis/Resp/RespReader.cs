using System.Buffers.Text;

namespace Larder.Redis;

/// <summary>
/// Reads one value of RESP3, whole and well formed (a <c>RespScanner</c> has seen it): it stands on the value from the start, and <see cref="Read"/> goes on to
/// each value inside it, depth first. Attributes are passed over.
/// </summary>
public ref struct RespReader
{
    private readonly ReadOnlySpan<byte> _frame;
    private int _next;

    /// <summary>Stands on the first value of <paramref name="frame"/>.</summary>
    public RespReader(ReadOnlySpan<byte> frame)
    {
        _frame = frame;
        Read();
    }

    /// <summary>All bytes of the value that it began on, as they came.</summary>
    public readonly ReadOnlySpan<byte> Frame => _frame;

    /// <summary>What the present value is.</summary>
    public RespKind Kind { get; private set; }

    /// <summary>Whether it is nothing.</summary>
    public readonly bool IsNull => Kind == RespKind.Null;

    /// <summary>How many values are inside: an array's items; of a map each key and each value counts.</summary>
    public int Count { get; private set; }

    /// <summary>The text or the bytes; of a number its digits. Empty for what has others inside.</summary>
    public ReadOnlySpan<byte> Bytes { get; private set; }

    /// <summary>An <see cref="RespKind.Integer"/>; 0 for what is none.</summary>
    public long Integer { get; private set; }

    /// <summary>Whether it is true; false for what is no <see cref="RespKind.Boolean"/>.</summary>
    public readonly bool Boolean => Kind == RespKind.Boolean && Bytes[0] == (byte)'t';

    /// <summary>Reads an integer, or a text that is one.</summary>
    public readonly bool TryGetInteger(out long value)
    {
        value = Integer;
        return Kind == RespKind.Integer || (Utf8Parser.TryParse(Bytes, out value, out int used) && used == Bytes.Length && used > 0);
    }

    /// <summary>Reads a number of any kind, or a text that is one, infinities with them.</summary>
    public readonly bool TryGetDouble(out double value) =>
        RespNumber.TryParseDouble(Bytes, out value);

    /// <summary>Goes on to the next value, the first inside of what has others inside. False at the end.</summary>
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
                // An attribute: its keys and values, then what it is about.
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

    /// <summary>Passes over what is inside the present value.</summary>
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

    // What stands between the mark and the end of its line, past which it goes.
    private ReadOnlySpan<byte> Line()
    {
        ReadOnlySpan<byte> rest = _frame[(_next + 1)..];
        int end = rest.IndexOf((byte)'\r');
        _next += end + 3;
        return rest[..end];
    }
}
