namespace Larder.Wire.Sockets;

/// <summary>
/// Counts what a peer sends inside TLS and no reader sees: key updates, other messages after the handshake, padding and empty records. Past the bounds the
/// connection is closed. Also bounds the bytes of a client's handshake messages before any certificate in them is parsed or verified. Used by the thread that
/// receives.
/// <para>
/// Design. TLS 1.3 encrypts the type of a record, so a key update cannot be seen in it. But the length of a record is visible, and its overhead is constant
/// (<see cref="Tls13Overhead"/>): the bytes of complete records, less the overhead, less the application data that was read from them, are bytes of other
/// messages. The difference is exact whenever the TLS stream asks for more bytes, as it has then returned all that was decrypted.
/// </para>
/// </summary>
internal sealed class TlsRecordGuard
{
    /// <summary>
    /// Bytes that a client sends in answer to the server's hello: its certificates, signature and end. A leaf of 3 KB with many names, three intermediates of
    /// 2 KB (RSA with 4,096 bits) and a signature of 0.6 KB are 9.6 KB. Larger chains are refused.
    /// </summary>
    public const int MaxClientFlightBytes = 10 * 1024;

    /// <summary>
    /// Key updates (or as many other messages of their size) at once. Clients send one in 2^24 records; each costs the server 20 to 30 µs, so that 100 cost it
    /// 3 ms.
    /// </summary>
    public const int KeyUpdateBurst = 100;

    /// <summary>Key updates per second after that: 0.6 ms of each second.</summary>
    public const int KeyUpdatesPerSecond = 20;

    /// <summary>Records, at once, that carry less than <see cref="BytesPerRecord"/> bytes each.</summary>
    public const int SmallRecordBurst = 1_000;

    /// <summary>The same per second: each costs 1 to 2 µs.</summary>
    public const int SmallRecordsPerSecond = 200;

    /// <summary>
    /// Application bytes that pay for one record. The smallest HTTP/2 frame has 9 bytes; a client may send its header and its payload in two records.
    /// </summary>
    public const int BytesPerRecord = 4;

    // The type of the content (1 byte) and the tag of the AEAD (16 bytes; RFC 8446, section 5.2).
    private const int Tls13Overhead = 17;

    // A message of 4 bytes of head and 1 byte of content (RFC 8446, section 4.6.3).
    private const int KeyUpdateBytes = 5;

    // Of a record: its type, its version (2 bytes) and its length (2 bytes).
    private const int HeaderBytes = 5;
    private const int LengthAt = 3;

    private readonly TimeProvider _time;
    private readonly int _maxFlightBytes;
    private double _updatesLeft = KeyUpdateBurst;
    private double _smallLeft = SmallRecordBurst;
    private long _checkedAt;
    private int _headerFilled;
    private int _length;
    private int _remaining;
    private int _flightBytes;
    private bool _hasArrived;
    private bool _isEstablished;
    private bool _isTls13;

    // Since the last check: complete records, their bytes without the overhead of TLS 1.3, and what was read from them.
    private long _records;
    private long _content;
    private long _delivered;

    /// <summary>Creates the guard of one connection.</summary>
    /// <param name="isServer">Whether this side is the server: only a client's handshake is bounded.</param>
    /// <param name="time">The clock of the rates.</param>
    public TlsRecordGuard(bool isServer, TimeProvider time)
    {
        _time = time;
        _checkedAt = time.GetTimestamp();
        _maxFlightBytes = isServer ? MaxClientFlightBytes : int.MaxValue;
    }

    /// <summary>Bytes of the peer's present handshake messages.</summary>
    public int FlightBytes => _flightBytes;

    /// <summary>Whether the peer's first byte begins no TLS record: it speaks no TLS.</summary>
    public bool IsForeign { get; private set; }

    /// <summary>Counts bytes as they arrived from the network.</summary>
    /// <exception cref="TlsFloodException">The handshake messages are too large.</exception>
    public void Arrived(ReadOnlySpan<byte> bytes)
    {
        if (!_isEstablished)
        {
            if (!_hasArrived && !bytes.IsEmpty)
            {
                // RFC 8446, section 5.1: the types of records are 20 to 24.
                _hasArrived = true;
                IsForeign = bytes[0] is < 20 or > 24;
            }

            _flightBytes += bytes.Length;
            if (_flightBytes > _maxFlightBytes)
            {
                throw new TlsFloodException($"The client's handshake messages have more than {MaxClientFlightBytes} bytes; its certificate chain is too long.");
            }
        }

        while (!bytes.IsEmpty)
        {
            if (_remaining > 0)
            {
                int taken = Math.Min(_remaining, bytes.Length);
                bytes = bytes[taken..];
                _remaining -= taken;
                if (_remaining == 0)
                {
                    CountRecord();
                }
            }
            else
            {
                TakeHeaderByte(bytes[0]);
                bytes = bytes[1..];
            }
        }
    }

    /// <summary>This side has sent: during a handshake, the peer's next messages answer it.</summary>
    public void Sent()
    {
        if (!_isEstablished)
        {
            _flightBytes = 0;
        }
    }

    /// <summary>The handshake is over; what arrived until now is not counted.</summary>
    public void Established(bool isTls13)
    {
        _isEstablished = true;
        _isTls13 = isTls13;
        Restart();
    }

    /// <summary>Counts application data as it was read.</summary>
    public void Delivered(int bytes) => _delivered += bytes;

    /// <summary>Checks the bounds; to be called when the TLS stream asks for more bytes.</summary>
    /// <exception cref="TlsFloodException">The peer has sent too much that carries no data.</exception>
    public void Check()
    {
        if (!_isEstablished || _records == 0)
        {
            return;
        }

        // Data that arrived together with the end of the handshake is delivered without having been counted: the difference may be negative, once.
        long hidden = Math.Max(0, _content - _delivered);
        long updates = _isTls13 ? Math.Min(_records, (hidden + KeyUpdateBytes - 1) / KeyUpdateBytes) : 0;
        long small = Math.Max(0, _records - (_delivered / BytesPerRecord));
        Restart();
        if (updates > 0 || small > 0)
        {
            Take(updates, small);
        }
    }

    private void TakeHeaderByte(byte value)
    {
        if (_headerFilled >= LengthAt)
        {
            _length = (_length << 8) | value;
        }

        if (++_headerFilled < HeaderBytes)
        {
            return;
        }

        _headerFilled = 0;
        _remaining = _length;
        if (_remaining == 0)
        {
            CountRecord();
        }
    }

    private void CountRecord()
    {
        _records++;
        _content += Math.Max(0, _length - Tls13Overhead);
        _length = 0;
    }

    private void Restart()
    {
        _records = 0;
        _content = 0;
        _delivered = 0;
    }

    private void Take(long updates, long small)
    {
        long now = _time.GetTimestamp();
        double seconds = _time.GetElapsedTime(_checkedAt, now).TotalSeconds;
        _checkedAt = now;
        _updatesLeft = Math.Min(KeyUpdateBurst, _updatesLeft + (seconds * KeyUpdatesPerSecond)) - updates;
        _smallLeft = Math.Min(SmallRecordBurst, _smallLeft + (seconds * SmallRecordsPerSecond)) - small;
        if (_updatesLeft < 0)
        {
            throw new TlsFloodException("The peer sent too many TLS key updates, or pads its records.");
        }

        if (_smallLeft < 0)
        {
            throw new TlsFloodException("The peer sent too many TLS records with little or no data.");
        }
    }
}
