namespace Larder.Redis;

/// <summary>
/// Finds where a value of RESP3 ends, and checks that it is well formed. Goes on where it stopped when more bytes have come: what has been looked at is not
/// looked at again. Not RESP3's streamed strings and arrays, which Redis does not send.
/// </summary>
internal sealed class RespScanner
{
    /// <summary>Of a line: a text, an error, a number. Redis's own are below 1 KB; scripts make their own.</summary>
    public const int MostLineBytes = 64 * 1024;

    /// <summary>Arrays within arrays. CLUSTER SLOTS has four, and a script's answer what it likes.</summary>
    public const int MostNesting = 32;

    /// <summary>A whole answer, 256 MB: it gathers in one piece. Redis itself makes no string above 512 MB.</summary>
    public const int MostBytes = 256 * 1024 * 1024;

    /// <summary>
    /// A push that does not come whole at once, 1 MB: it names keys that were read, of which Redis sends one at a time, and none is sent that is larger.
    /// </summary>
    public const int MostPushBytes = 1024 * 1024;

    // The shortest value, "_\r\n".
    private const int LeastBytes = 3;

    private readonly int _mostBytes;

    // Values that are still to come at each level; the first level is the answer itself.
    private readonly long[] _left = new long[MostNesting + 1];
    private int _depth;
    private int _position;
    private int _needed;

    /// <param name="mostBytes">The longest value.</param>
    public RespScanner(int mostBytes = MostBytes)
    {
        _mostBytes = mostBytes;
        Restart();
    }

    /// <summary>Whether the value is a push, which answers nothing. Known once it is whole.</summary>
    public bool IsPush { get; private set; }

    /// <summary>
    /// Looks at <paramref name="bytes"/>, which begin with the value that is looked for; true where it is whole, and then starts with the next.
    /// </summary>
    /// <param name="bytes">All that has come of it.</param>
    /// <param name="length">How long it is.</param>
    /// <exception cref="InvalidDataException">It is no RESP3, or beyond a limit.</exception>
    public bool TryScan(ReadOnlySpan<byte> bytes, out int length)
    {
        if (_needed == 0)
        {
            IsPush = false;
        }

        while (bytes.Length >= _needed && TryScanOne(bytes))
        {
            while (_depth > 0 && _left[_depth - 1] == 0)
            {
                _depth--;
            }

            if (_depth == 0)
            {
                length = _position;
                Restart();
                return true;
            }
        }

        length = 0;
        return IsPush && bytes.Length > MostPushBytes ? throw Broken($"a push of more than {MostPushBytes} bytes") : false;
    }

    private void Restart()
    {
        _depth = 1;
        _left[0] = 1;
        _position = 0;
        _needed = 0;
    }

    // One head, with its bytes where it has some. False where more has to come first; _needed is then how much at least.
    private bool TryScanOne(ReadOnlySpan<byte> bytes)
    {
        ReadOnlySpan<byte> rest = bytes[_position..];
        int end = rest[..Math.Min(rest.Length, MostLineBytes)].IndexOf((byte)'\r');
        if (end < 0 || end == rest.Length - 1)
        {
            _needed = checked(bytes.Length + 1);
            return rest.Length < MostLineBytes || end >= 0 ? false : throw Broken($"a line of more than {MostLineBytes} bytes");
        }

        if (end == 0 || rest[end + 1] != (byte)'\n')
        {
            throw Broken("a line without its mark or its end");
        }

        byte mark = rest[0];
        ReadOnlySpan<byte> line = rest[1..end];
        int head = end + 2;
        switch (mark)
        {
            case (byte)'$' or (byte)'!' or (byte)'=':
                return TryTakeBlob(rest, mark, head, Length(mark, line));
            case (byte)'*' or (byte)'~' or (byte)'%' or (byte)'|' or (byte)'>':
                TakeMany(mark, head, Length(mark, line));
                return true;
            default:
                CheckLine(mark, line);
                Take(head);
                return true;
        }
    }

    private bool TryTakeBlob(ReadOnlySpan<byte> rest, byte mark, int head, int length)
    {
        if (length < 0)
        {
            Take(head);
            return true;
        }

        int whole = head + length + 2;
        if (rest.Length < whole)
        {
            _needed = _position + whole;
            return false;
        }

        if (rest[whole - 2] != (byte)'\r' || rest[whole - 1] != (byte)'\n')
        {
            throw Broken("a string that does not end where it says");
        }

        if (mark == (byte)'=' && (length < 4 || rest[head + 3] != (byte)':'))
        {
            throw Broken("a verbatim string without its format");
        }

        Take(whole);
        return true;
    }

    private void TakeMany(byte mark, int head, int count)
    {
        bool isPush = mark == (byte)'>';
        if (isPush && (_depth > 1 || count < 1))
        {
            throw Broken("a push within another value, or an empty one");
        }

        IsPush |= isPush;
        if (mark == (byte)'|')
        {
            // What it is about still comes.
            _position += head;
            _needed = _position + 1;
        }
        else
        {
            Take(head);
        }

        if (count > 0)
        {
            if (_depth > MostNesting)
            {
                throw Broken($"more than {MostNesting} arrays within one another");
            }

            _left[_depth++] = mark is (byte)'%' or (byte)'|' ? count * 2L : count;
        }
    }

    private void Take(int bytes)
    {
        _position += bytes;
        _needed = _position + 1;
        _left[_depth - 1]--;
    }

    // -1 where it is RESP2's null.
    private int Length(byte mark, ReadOnlySpan<byte> line)
    {
        if (!RespNumber.TryParseInteger(line, out long length) || length < -1 || (length == -1 && mark is not ((byte)'$' or (byte)'*')))
        {
            throw Broken("a length that is none");
        }

        bool isBlob = mark is (byte)'$' or (byte)'!' or (byte)'=';
        if (length > (_mostBytes - _position) / (isBlob ? 1 : LeastBytes))
        {
            throw Broken($"an answer of more than {_mostBytes} bytes");
        }

        return (int)length;
    }

    private static void CheckLine(byte mark, ReadOnlySpan<byte> line)
    {
        bool isGood = mark switch
        {
            (byte)'+' or (byte)'-' => true,
            (byte)':' => RespNumber.TryParseInteger(line, out _),
            (byte)',' => RespNumber.TryParseDouble(line, out _),
            (byte)'#' => line.Length == 1 && line[0] is (byte)'t' or (byte)'f',
            (byte)'(' => RespNumber.IsBigNumber(line),
            (byte)'_' => line.IsEmpty,
            _ => false,
        };
        if (!isGood)
        {
            throw Broken(mark is >= 32 and < 127 ? $"a value that begins with '{(char)mark}'" : $"a value that begins with byte {mark}");
        }
    }

    private static InvalidDataException Broken(string what) => new($"The node does not speak RESP3: {what}.");
}
