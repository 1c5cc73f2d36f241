using System.Collections.Concurrent;
using Larder.Wire.Http2;

namespace Larder.Wire;

/// <summary>
/// The read buffers of client connections. A buffer is so large that .NET allocates it on the large object heap. If each new connection allocated a buffer,
/// frequent reconnects would cause full garbage collections. So up to <see cref="MaxIdle"/> buffers of ended connections are kept. A shared array pool would
/// keep a buffer for each thread on which a connection ends.
/// </summary>
internal static class ReadBuffers
{
    /// <summary>The maximum number of idle buffers: 1 MB in total.</summary>
    public const int MaxIdle = 4;

    private static readonly ConcurrentBag<byte[]> s_idle = [];

    public static byte[] Rent() => s_idle.TryTake(out byte[]? idle) ? idle : GC.AllocateUninitializedArray<byte>(Http2Limits.ReadBytes);

    /// <summary>Takes back a buffer that its connection no longer uses.</summary>
    public static void Return(byte[] buffer)
    {
        if (buffer.Length == Http2Limits.ReadBytes && s_idle.Count < MaxIdle)
        {
            s_idle.Add(buffer);
        }
    }
}
