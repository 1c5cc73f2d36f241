using System.Buffers;

namespace Larder.Store.Tests;

/// <summary>Writes a stale value to a buffer.</summary>
internal readonly struct StaleSink(IBufferWriter<byte> buffer) : IStaleSink
{
    public void Accept(ReadOnlySpan<byte> value, long expiredMs) => buffer.Write(value);
}
