namespace Larder.Redis;

/// <summary>
/// Finds the end of a RESP3 value and validates it. When more bytes arrive, the scan continues where it stopped, so no byte is scanned twice. RESP3's streamed
/// strings and arrays are not supported, because Redis does not send them.
/// </summary>
internal sealed class RespScanner
{
    /// <summary>
    /// The maximum length of a line (a text, an error or a number), in bytes. Redis's own lines are below 1 KB, but scripts can produce longer ones.
    /// </summary>
    public const int MaxLineBytes = 64 * 1024;

    /// <summary>The maximum nesting of arrays. CLUSTER SLOTS has four levels; scripts can return deeper nesting.</summary>
    public const int MaxNesting = 32;

    /// <summary>The maximum size of a reply: 256 MB. A reply is limited because it is stored contiguously. Redis itself limits strings to 512 MB.</summary>
    public const int MaxBytes = 256 * 1024 * 1024;

    /// <summary>
    /// The maximum size of a push message that does not arrive in one read: 1 MB. A push message contains the keys that were changed. Redis sends one key per
    /// message, and all keys are shorter than this.
    /// </summary>
    public const int MaxPushBytes = 1024 * 1024;

    // The size of the shortest value, "_\r\n".
    private const int MinBytes = 3;

    private readonly int _mostBytes;

    // The number of remaining values at each level. The first level is the reply itself.
    private readonly long[] _left = new long[MaxNesting + 1];
    private int _depth;
    private int _position;
    private int _needed;

    /// <param name="mostBytes">The maximum size of a value, in bytes.</param>
    public RespScanner(int mostBytes = MaxBytes)
    {
        _mostBytes = mostBytes;
        Restart();
    }

    /// <summary>Gets whether the value is a push message, which is not a reply to a command. Valid only after the value is complete.</summary>
    public bool IsPush { get; private set; }

    /// <summary>
    /// Scans <paramref name="bytes"/>, which start with the current value. Returns true if the value is complete; the next call then starts with the
    /// next value.
    /// </summary>
    /// <param name="bytes">All bytes of the value that have arrived.</param>
    /// <param name="length">The length of the value, in bytes.</param>
    /// <exception cref="InvalidDataException">The data is not valid RESP3, or exceeds a limit.</exception>
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
        return IsPush && bytes.Length > MaxPushBytes ? throw Broken($"a push message exceeds {MaxPushBytes} bytes") : false;
    }

    private void Restart()
    {
        _depth = 1;
        _left[0] = 1;
        _position = 0;
        _needed = 0;
    }

    // Scans one header and the bytes that belong to it. Returns false if more data is needed. In this case, _needed is the minimum number of bytes.
    private bool TryScanOne(ReadOnlySpan<byte> bytes)
    {
        ReadOnlySpan<byte> rest = bytes[_position..];
        int end = rest[..Math.Min(rest.Length, MaxLineBytes)].IndexOf((byte)'\r');
        if (end < 0 || end == rest.Length - 1)
        {
            _needed = checked(bytes.Length + 1);
            return rest.Length < MaxLineBytes || end >= 0 ? false : throw Broken($"a line exceeds {MaxLineBytes} bytes");
        }

        if (end == 0 || rest[end + 1] != (byte)'\n')
        {
            throw Broken("a line has no type byte or does not end with CRLF");
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
            throw Broken("a string does not end with CRLF at its stated length");
        }

        if (mark == (byte)'=' && (length < 4 || rest[head + 3] != (byte)':'))
        {
            throw Broken("a verbatim string has no format");
        }

        Take(whole);
        return true;
    }

    private void TakeMany(byte mark, int head, int count)
    {
        bool isPush = mark == (byte)'>';
        if (isPush && (_depth > 1 || count < 1))
        {
            throw Broken("a push message is empty or nested in another value");
        }

        IsPush |= isPush;
        if (mark == (byte)'|')
        {
            // The value that the attribute describes must still be scanned.
            _position += head;
            _needed = _position + 1;
        }
        else
        {
            Take(head);
        }

        if (count > 0)
        {
            if (_depth > MaxNesting)
            {
                throw Broken($"arrays are nested more than {MaxNesting} levels deep");
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

    // Parses the length. Returns -1 for RESP2's null.
    private int Length(byte mark, ReadOnlySpan<byte> line)
    {
        if (!RespNumber.TryParseInteger(line, out long length) || length < -1 || (length == -1 && mark is not ((byte)'$' or (byte)'*')))
        {
            throw Broken("a length is invalid");
        }

        bool isBlob = mark is (byte)'$' or (byte)'!' or (byte)'=';
        if (length > (_mostBytes - _position) / (isBlob ? 1 : MinBytes))
        {
            throw Broken($"a response exceeds {_mostBytes} bytes");
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
            throw Broken(mark is >= 32 and < 127 ? $"a value of type '{(char)mark}' is malformed or unsupported" : $"a value has the unknown type byte {mark}");
        }
    }

    private static InvalidDataException Broken(string what) => new($"The node sent invalid RESP3 data: {what}.");
}
