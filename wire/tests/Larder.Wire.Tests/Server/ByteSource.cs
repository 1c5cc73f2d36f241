namespace Larder.Wire.Tests.Server;

/// <summary>A source of messages that a test adds.</summary>
internal sealed class ByteSource : IPushSource
{
    private readonly Lock _lock = new();
    private readonly Queue<byte> _bytes = new();
    private int _reads;

    /// <summary>Gets the number of bytes that have not been read.</summary>
    public int Left
    {
        get
        {
            lock (_lock)
            {
                return _bytes.Count;
            }
        }
    }

    /// <summary>Gets the number of times that the source was notified of the end of its stream.</summary>
    public int Closings { get; private set; }

    /// <summary>Gets the number of times that the source was read.</summary>
    public int Reads => Volatile.Read(ref _reads);

    public void Closed() => Closings++;

    public void Add(byte[] message)
    {
        lock (_lock)
        {
            foreach (byte each in RawCall.Frame(message, isCompressed: false))
            {
                _bytes.Enqueue(each);
            }
        }
    }

    public int Read(Span<byte> room)
    {
        Interlocked.Increment(ref _reads);
        lock (_lock)
        {
            int length = Math.Min(room.Length, _bytes.Count);
            for (int each = 0; each < length; each++)
            {
                room[each] = _bytes.Dequeue();
            }

            return length;
        }
    }
}
