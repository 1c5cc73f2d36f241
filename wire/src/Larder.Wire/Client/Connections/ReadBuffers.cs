using System.Collections.Concurrent;
using Larder.Wire.Http2;

namespace Larder.Wire;

/// <summary>
/// What clients' connections read into. An array is large enough for the heap of large objects, so that connections that are made and lost all the time would
/// each have the collector look at everything: those of connections that have ended are kept for the next, as many as <see cref="MostIdle"/>. A shared pool
/// would keep one for each thread on which a connection happens to end.
/// </summary>
internal static class ReadBuffers
{
    /// <summary>Arrays that nobody uses and that are kept all the same: 1 MB.</summary>
    public const int MostIdle = 4;

    private static readonly ConcurrentBag<byte[]> s_idle = [];

    public static byte[] Rent() => s_idle.TryTake(out byte[]? idle) ? idle : GC.AllocateUninitializedArray<byte>(Http2Limits.ReadBytes);

    /// <summary>Gives one back that nothing is read into any more.</summary>
    public static void Return(byte[] buffer)
    {
        if (buffer.Length == Http2Limits.ReadBytes && s_idle.Count < MostIdle)
        {
            s_idle.Add(buffer);
        }
    }
}
