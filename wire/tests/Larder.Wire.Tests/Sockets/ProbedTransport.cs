using Larder.Wire.Sockets;

namespace Larder.Wire.Tests.Sockets;

/// <summary>A transport that records how it is used.</summary>
internal sealed class ProbedTransport(IByteTransport inner) : IByteTransport
{
    /// <summary>Gets the size, in bytes, of the buffer of the last receive. A pending receive keeps its buffer allocated.</summary>
    public int LastRoomBytes { get; private set; } = -1;

    /// <summary>Gets the first data that was sent; empty if nothing was sent.</summary>
    public byte[] FirstSent { get; private set; } = [];

    public ValueTask<int> ReceiveAsync(Memory<byte> buffer)
    {
        LastRoomBytes = buffer.Length;
        return inner.ReceiveAsync(buffer);
    }

    public ValueTask SendAsync(ReadOnlyMemory<byte> bytes)
    {
        FirstSent = FirstSent.Length == 0 ? bytes.ToArray() : FirstSent;
        return inner.SendAsync(bytes);
    }

    public ValueTask CompleteAsync() => inner.CompleteAsync();

    public void Abort() => inner.Abort();

    public void Dispose() => inner.Dispose();
}
