using System.Buffers;

namespace Larder.Store.Tests;

/// <summary>Writes a stale value to a buffer, and its validator to another one.</summary>
internal readonly struct StaleSink(IBufferWriter<byte> buffer, IBufferWriter<byte>? validators = null) : IStaleSink
{
    public void Accept(ReadOnlySpan<byte> value, long expiredMs, ReadOnlySpan<byte> validator)
    {
        buffer.Write(value);
        validators?.Write(validator);
    }
}
