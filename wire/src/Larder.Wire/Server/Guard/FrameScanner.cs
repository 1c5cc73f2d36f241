using System.Buffers;

namespace Larder.Wire;

/// <summary>
/// Follows the frames of one HTTP/2 connection as bytes pass by, and says when a peer sends more control frames than any client has reason to:
/// resets, settings, pings, continuations, empty data. It keeps nine bytes and some counters, whatever it is sent.
/// </summary>
internal sealed class FrameScanner
{
    private const int HeaderBytes = 9;
    private const byte Data = 0;
    private const byte Headers = 1;
    private const byte ResetStream = 3;
    private const byte Settings = 4;
    private const byte WindowUpdate = 8;
    private const byte Continuation = 9;
    private const byte EndStream = 1;

    private readonly TimeProvider _time;

    // A client under overload resets at most its 100 streams for each deadline of half a second or more: 200 a second.
    private readonly FrameBudget _resets;

    // A client sends its settings once and acknowledges ours; one that measures its bandwidth (grpcio) changes its window now and then.
    private readonly FrameBudget _settings;

    // Pings every 5 s are tolerated, and round-trip measurements of a few a second.
    private readonly FrameBudget _pings;

    // 32 KB of headers, the most that are accepted, are two continuations of a call.
    private readonly FrameBudget _continuations;

    // A body that ends without data is one empty frame that ends its stream, which is not counted.
    private readonly FrameBudget _emptyData;

    private readonly byte[] _header = new byte[HeaderBytes];
    private int _headerBytes;
    private long _payloadLeft;
    private int _prefaceBytes;
    private bool _isHttp1;

    public FrameScanner(TimeProvider time)
    {
        _time = time;
        _resets = new FrameBudget(1_000, 200, time);
        _settings = new FrameBudget(100, 10, time);
        _pings = new FrameBudget(100, 20, time);
        _continuations = new FrameBudget(100, 20, time);
        _emptyData = new FrameBudget(1_000, 200, time);
    }

    /// <summary>True once the connection's opening words were right.</summary>
    public bool HasPreface => _prefaceBytes == Preface.Length;

    private static ReadOnlySpan<byte> Preface => "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"u8;

    /// <summary>Looks at the next bytes; null, or what is wrong with them.</summary>
    public string? Scan(in ReadOnlySequence<byte> bytes)
    {
        foreach (ReadOnlyMemory<byte> segment in bytes)
        {
            if (Scan(segment.Span) is { } wrong)
            {
                return wrong;
            }
        }

        return null;
    }

    /// <inheritdoc cref="Scan(in ReadOnlySequence{byte})"/>
    public string? Scan(ReadOnlySpan<byte> bytes)
    {
        if (!HasPreface)
        {
            int expected = Math.Min(Preface.Length - _prefaceBytes, bytes.Length);
            if (_isHttp1 || !bytes[..expected].SequenceEqual(Preface.Slice(_prefaceBytes, expected)))
            {
                return PassHttp1(bytes) ? null : "The connection does not begin as HTTP/2.";
            }

            _prefaceBytes += expected;
            bytes = bytes[expected..];
        }

        return ScanFrames(bytes);
    }

    // HTTP/1 begins with a method in capitals: the host answers it with a text that says what is spoken here. It has until the preface is due.
    private bool PassHttp1(ReadOnlySpan<byte> bytes)
    {
        _isHttp1 |= _prefaceBytes > 0 || (bytes.Length > 0 && char.IsAsciiLetterUpper((char)bytes[0]));
        return _isHttp1;
    }

    private string? ScanFrames(ReadOnlySpan<byte> bytes)
    {
        while (bytes.Length > 0)
        {
            if (_payloadLeft > 0)
            {
                int skipped = (int)Math.Min(_payloadLeft, bytes.Length);
                _payloadLeft -= skipped;
                bytes = bytes[skipped..];
                continue;
            }

            int taken = Math.Min(HeaderBytes - _headerBytes, bytes.Length);
            bytes[..taken].CopyTo(_header.AsSpan(_headerBytes));
            _headerBytes += taken;
            bytes = bytes[taken..];
            if (_headerBytes == HeaderBytes && CountFrame() is { } wrong)
            {
                return wrong;
            }
        }

        return null;
    }

    private string? CountFrame()
    {
        _headerBytes = 0;
        _payloadLeft = (_header[0] << 16) | (_header[1] << 8) | _header[2];
        FrameBudget? budget = _header[3] switch
        {
            Data => _payloadLeft == 0 && (_header[4] & EndStream) == 0 ? _emptyData : null,
            Headers or WindowUpdate => null,
            ResetStream => _resets,
            Settings => _settings,
            Continuation => _continuations,
            // Pings, priorities, and what nobody knows.
            _ => _pings,
        };
        return budget is null || budget.TryTake(_time.GetTimestamp()) ? null : $"Too many HTTP/2 frames of type {_header[3]}.";
    }
}
