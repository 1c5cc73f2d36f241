namespace Larder.Wire.Sockets;

/// <summary>
/// Counts TLS traffic of a peer that contains no application data: key updates, other messages after the handshake, padding and empty records. If a limit is
/// exceeded, the connection is closed. The guard also limits the size of a client's handshake messages before any certificate in them is parsed or verified.
/// Used by the receiving thread only.
/// <para>
/// Design. TLS 1.3 encrypts the type of a record, so a key update cannot be recognized directly. But the length of a record is visible, and the overhead of a
/// record is constant (<see cref="Tls13Overhead"/>). The size of the other messages is the size of complete records, minus the overhead, minus the application
/// data read from the records. The difference is exact whenever the TLS stream asks for more bytes, because it has then returned all decrypted data.
/// </para>
/// </summary>
internal sealed class TlsRecordGuard
{
    /// <summary>
    /// The maximum size, in bytes, of a client's response to the server's hello: its certificates, signature and finished message. A leaf certificate of 3 KB
    /// with many names, three intermediate certificates of 2 KB (4,096-bit RSA) and a signature of 0.6 KB take 9.6 KB. Larger chains are rejected.
    /// </summary>
    public const int MaxClientFlightBytes = 10 * 1024;

    /// <summary>
    /// The number of key updates (or other messages of that size) allowed in a burst. Clients send one every 2^24 records. Each key update costs the server 20
    /// to 30 µs, so 100 key updates cost 3 ms.
    /// </summary>
    public const int KeyUpdateBurst = 100;

    /// <summary>The number of key updates per second allowed after the burst. They cost the server 0.6 ms per second.</summary>
    public const int KeyUpdatesPerSecond = 20;

    /// <summary>The number of small records allowed in a burst. A small record contains less than <see cref="BytesPerRecord"/> application bytes.</summary>
    public const int SmallRecordBurst = 1_000;

    /// <summary>The number of small records per second allowed after the burst. Each record costs 1 to 2 µs.</summary>
    public const int SmallRecordsPerSecond = 200;

    /// <summary>
    /// The number of application bytes per record below which a record counts as small. The smallest HTTP/2 frame has 9 bytes, and a client may send
    /// its header and payload in two records.
    /// </summary>
    public const int BytesPerRecord = 4;

    // The overhead of a TLS 1.3 record: the content type (1 byte) and the AEAD tag (16 bytes; RFC 8446, section 5.2).
    private const int Tls13Overhead = 17;

    // The size of a key update, a message with a header of 4 bytes and a content of 1 byte (RFC 8446, section 4.6.3).
    private const int KeyUpdateBytes = 5;

    // The header of a record: type (1 byte), version (2 bytes) and length (2 bytes).
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

    // The counts since the last check: the number of complete records, their size without the TLS 1.3 overhead, and the application bytes read from them.
    private long _records;
    private long _content;
    private long _delivered;

    /// <summary>Creates the guard of one connection.</summary>
    /// <param name="isServer">Whether this side is the server. Only the size of a client's handshake is limited.</param>
    /// <param name="time">The clock for the rates.</param>
    public TlsRecordGuard(bool isServer, TimeProvider time)
    {
        _time = time;
        _checkedAt = time.GetTimestamp();
        _maxFlightBytes = isServer ? MaxClientFlightBytes : int.MaxValue;
    }

    /// <summary>Gets the size, in bytes, of the peer's current handshake messages.</summary>
    public int FlightBytes => _flightBytes;

    /// <summary>Gets whether the peer does not use TLS, because its first byte does not start a TLS record.</summary>
    public bool IsForeign { get; private set; }

    /// <summary>Counts bytes that arrived from the network.</summary>
    /// <exception cref="TlsFloodException">The handshake messages are too large.</exception>
    public void Arrived(ReadOnlySpan<byte> bytes)
    {
        if (!_isEstablished)
        {
            if (!_hasArrived && !bytes.IsEmpty)
            {
                // RFC 8446, section 5.1: record types are 20 to 24.
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

    /// <summary>Records that this side has sent data. During a handshake, the peer's next messages are a response to this data.</summary>
    public void Sent()
    {
        if (!_isEstablished)
        {
            _flightBytes = 0;
        }
    }

    /// <summary>Records that the handshake is complete. Earlier bytes are not counted.</summary>
    public void Established(bool isTls13)
    {
        _isEstablished = true;
        _isTls13 = isTls13;
        Restart();
    }

    /// <summary>Counts application bytes that were read.</summary>
    public void Delivered(int bytes) => _delivered += bytes;

    /// <summary>Checks the limits. Call this method when the TLS stream requests more bytes.</summary>
    /// <exception cref="TlsFloodException">The peer has sent too many records without data.</exception>
    public void Check()
    {
        if (!_isEstablished || _records == 0)
        {
            return;
        }

        // Data that arrived together with the end of the handshake was not counted, but is delivered. So the difference may be negative once.
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
            throw new TlsFloodException("The peer sent too many TLS key updates or too much padding.");
        }

        if (_smallLeft < 0)
        {
            throw new TlsFloodException("The peer sent too many TLS records with little or no data.");
        }
    }
}
