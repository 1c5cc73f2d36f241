using System.Collections.Concurrent;
using Larder.Wire.Http2;

namespace Larder.Wire;

/// <summary>The idle streams of one method, shared by all channels.</summary>
/// <typeparam name="TResponse">The type of the method's response.</typeparam>
internal sealed class UnaryStreams<TResponse>
{
    // The maximum number of idle streams. Each takes about 2 KB. Further streams are created on demand and garbage-collected.
    private const int MaxIdle = 1_024;

    private readonly ConcurrentQueue<UnaryStream<TResponse>> _idle = new();
    private int _count;

    public UnaryStream<TResponse> Rent()
    {
        if (_idle.TryDequeue(out UnaryStream<TResponse>? stream))
        {
            Interlocked.Decrement(ref _count);
            return stream;
        }

        return new UnaryStream<TResponse>(this);
    }

    public void Return(UnaryStream<TResponse> stream)
    {
        if (Interlocked.Increment(ref _count) <= MaxIdle)
        {
            _idle.Enqueue(stream);
        }
        else
        {
            Interlocked.Decrement(ref _count);
        }
    }
}
